package import Text

/// A part of a JSON Schema, which editors complete and check by.
///
/// Source: https://json-schema.org/draft/2020-12
package struct Schema: Sendable {
    /// Schemas by the names of their keys, in an order.
    package struct Properties: ExpressibleByDictionaryLiteral, Sendable {
        let members: [(name: String, schema: Schema)]

        /// Schemas and the names of their keys.
        package init(_ members: [(String, Schema)]) { self.members = members }

        /// The same as a literal.
        package init(dictionaryLiteral members: (String, Schema)...) { self.members = members }
    }

    private let members: [(key: String, node: JSONNode)]

    private init(_ members: [(key: String, node: JSONNode)], _ meaning: String) {
        self.members =
            meaning.isEmpty ? members : members + [("description", .text(meaning))]
    }

    /// The schema as JSON.
    package var node: JSONNode { .object(members.map { ($0.key, $0.node) }) }

    /// Any value.
    static func any(_ meaning: String) -> Schema { Schema([], meaning) }

    /// A text that `pattern` finds, or any text.
    package static func text(_ meaning: String = "", like pattern: String? = nil) -> Schema {
        Schema(
            [("type", .text("string"))] + (pattern.map { [("pattern", .text($0))] } ?? []), meaning)
    }

    /// True or false.
    package static func flag(_ meaning: String) -> Schema {
        Schema([("type", .text("boolean"))], meaning)
    }

    /// Exactly `false`.
    static func off(_ meaning: String) -> Schema {
        Schema([("type", .text("boolean")), ("const", .bool(false))], meaning)
    }

    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int>, _ meaning: String) -> Schema {
        Schema(
            [
                ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ], meaning)
    }

    /// One of some words.
    package static func word(_ words: [String], _ meaning: String = "") -> Schema {
        Schema([("type", .text("string")), ("enum", .texts(words))], meaning)
    }

    /// A list of at most so many.
    package static func list(
        of element: Schema, _ range: ClosedRange<Int>, _ meaning: String = ""
    ) -> Schema {
        Schema(
            [
                ("type", .text("array")), ("items", element.node),
                ("minItems", .number(range.lowerBound)), ("maxItems", .number(range.upperBound)),
            ], meaning)
    }

    /// What stands under a name in `$defs`.
    static func defined(_ name: String, _ meaning: String = "") -> Schema {
        Schema([("$ref", .text("#/$defs/\(name)"))], meaning)
    }

    /// One of several forms.
    package static func either(_ forms: [Schema], _ meaning: String = "") -> Schema {
        Schema([("anyOf", JSONNode(.list(forms.map(\.node))))], meaning)
    }

    /// An object whose keys are names of the writer's own, at least one or none, or those of `properties`.
    package static func named(
        _ values: Schema, least: Int = 1, most: Int, besides properties: Properties = [:],
        _ meaning: String = ""
    ) -> Schema {
        Schema(
            [("type", .text("object"))] + Self.properties(properties)
                + [
                    ("additionalProperties", values.node), ("minProperties", .number(least)),
                    ("maxProperties", .number(most + properties.members.count)),
                ], meaning)
    }

    /// An object with these keys and no others.
    package static func object(
        _ properties: Properties, needed: [String] = [], _ meaning: String = ""
    ) -> Schema {
        Schema(
            [("type", .text("object"))] + Self.properties(properties)
                + (needed.isEmpty ? [] : [("required", .texts(needed))])
                + [("additionalProperties", .bool(false))], meaning)
    }

    private static func properties(
        _ properties: Properties
    ) -> [(key: String, node: JSONNode)] {
        guard !properties.members.isEmpty else { return [] }
        return [
            ("properties", .object(properties.members.map { ($0.name, $0.schema.orNull.node) }))
        ]
    }

    /// The same with definitions, as a document of its own.
    package func document(
        titled title: String, defining definitions: Properties
    ) -> JSONNode {
        .object(
            [
                ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                ("title", .text(title)),
            ] + members.map { ($0.key, $0.node) }
                + [("$defs", .object(definitions.members.map { ($0.name, $0.schema.node) }))])
    }

    /// The same where the key can be `null`, which counts as not set.
    private var orNull: Schema {
        let null = JSONNode.object([("type", .text("null"))])
        return Schema(
            members.map { member in
                switch (member.key, member.node.value) {
                case ("type", _): ("type", JSONNode(.list([member.node, .text("null")])))
                case ("enum", .list(let words)):
                    ("enum", JSONNode(.list(words + [JSONNode(.null)])))
                case ("anyOf", .list(let forms)): ("anyOf", JSONNode(.list(forms + [null])))
                case ("$ref", _):
                    ("anyOf", JSONNode(.list([.object([("$ref", member.node)]), null])))
                default: member
                }
            }, "")
    }
}
