import Foundation
import Text

/// Judges documents by the words of JSON Schema that syncd's own schemas use.
struct SchemaJudge {
    let root: JSONNode

    /// Whether the schema takes the text.
    func takes(_ text: String) throws -> Bool { takes(try JSONReader.read(Array(text.utf8))) }

    func takes(_ node: JSONNode) -> Bool { takes(node, by: root) }

    /// The keys of each object of the schema that takes no others.
    var closedObjects: Set<Set<String>> {
        var found: Set<Set<String>> = []
        visit(root) { schema in
            guard schema["additionalProperties"]?.value == .bool(false) else { return }
            found.insert(Set(schema["properties"]?.keys ?? []))
        }
        return found
    }

    /// Words that the judge does not know.
    var unknownWords: Set<String> {
        var found: Set<String> = []
        visit(root) { schema in found.formUnion(schema.keys) }
        return found.subtracting(Self.words)
    }

    private static let words: Set = [
        "$schema", "$defs", "$ref", "title", "description", "type", "properties", "required",
        "additionalProperties", "minProperties", "maxProperties", "pattern", "enum", "const",
        "minimum", "maximum", "items", "minItems", "maxItems", "anyOf",
    ]

    private func visit(_ schema: JSONNode, _ body: (JSONNode) -> Void) {
        body(schema)
        for word in ["properties", "$defs"] {
            guard let inner = schema[word] else { continue }
            for name in inner.keys { inner[name].map { visit($0, body) } }
        }
        for word in ["additionalProperties", "items"] {
            if let inner = schema[word], case .object = inner.value { visit(inner, body) }
        }
        if case .list(let forms)? = schema["anyOf"]?.value {
            for form in forms { visit(form, body) }
        }
    }

    private func takes(_ node: JSONNode, by schema: JSONNode) -> Bool {
        if case .text(let name)? = schema["$ref"]?.value {
            let definition = root["$defs"]?[String(name.dropFirst("#/$defs/".count))]
            guard let definition, takes(node, by: definition) else { return false }
        }
        if case .list(let forms)? = schema["anyOf"]?.value,
            !forms.contains(where: { takes(node, by: $0) })
        {
            return false
        }
        if case .list(let values)? = schema["enum"]?.value,
            !values.contains(where: { $0.compact == node.compact })
        {
            return false
        }
        if let value = schema["const"], value.compact != node.compact { return false }
        return isOfType(node, schema["type"]) && fits(node, schema)
    }

    private func isOfType(_ node: JSONNode, _ type: JSONNode?) -> Bool {
        switch type?.value {
        case .list(let types): types.contains { isOfType(node, $0) }
        case .text(let name):
            switch (node.value, name) {
            case (.null, "null"), (.bool, "boolean"), (.text, "string"), (.list, "array"),
                (.object, "object"):
                true
            case (.number(let text), "integer"): Int(text) != nil
            default: false
            }
        default: true
        }
    }

    private func fits(_ node: JSONNode, _ schema: JSONNode) -> Bool {
        func bound(_ word: String) -> Int? {
            if case .number(let text)? = schema[word]?.value { Int(text) } else { nil }
        }
        switch node.value {
        case .number(let text):
            guard let number = Int(text) else { return false }
            return number >= bound("minimum") ?? number && number <= bound("maximum") ?? number
        case .text(let text):
            guard case .text(let pattern)? = schema["pattern"]?.value else { return true }
            return text.range(of: pattern, options: .regularExpression) != nil
        case .list(let items):
            let isCounted =
                items.count >= bound("minItems") ?? 0
                && items.count <= bound("maxItems") ?? items.count
            return isCounted
                && items.allSatisfy { item in schema["items"].map { takes(item, by: $0) } ?? true }
        case .object(let members):
            guard members.count >= bound("minProperties") ?? 0,
                members.count <= bound("maxProperties") ?? members.count
            else { return false }
            if case .list(let names)? = schema["required"]?.value {
                for case .text(let name) in names.map(\.value) where node[name] == nil {
                    return false
                }
            }
            return members.allSatisfy { member in
                let property = schema["properties"]?[member.key] ?? schema["additionalProperties"]
                guard let property else { return true }
                if case .bool(let isOpen) = property.value { return isOpen }
                return takes(member.node, by: property)
            }
        case .null, .bool: return true
        }
    }
}

extension JSONNode {
    var keys: [String] {
        if case .object(let members) = value { members.map(\.key) } else { [] }
    }

    subscript(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == name }?.node
    }

    /// The same with one more key in one object after the other.
    var misspelt: [JSONNode] {
        switch value {
        case .object(let members):
            let here = JSONNode.object(members.map { ($0.key, $0.node) } + [("zz", .number(1))])
            return [here]
                + members.indices.flatMap { index in
                    members[index].node.misspelt.map { inner in
                        var others = members.map { (key: $0.key, node: Optional($0.node)) }
                        others[index].node = inner
                        return JSONNode.object(others)
                    }
                }
        case .list(let items):
            return items.indices.flatMap { index in
                items[index].misspelt.map { inner in
                    var others = items
                    others[index] = inner
                    return JSONNode(.list(others))
                }
            }
        case .null, .bool, .number, .text: return []
        }
    }
}
