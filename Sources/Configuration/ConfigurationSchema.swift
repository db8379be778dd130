internal import Declarations
internal import Host
package import Text

/// The JSON Schema of a configuration. It takes everything that is taken as one.
///
/// Source: docs/configuration.md
package enum ConfigurationSchema {
    /// The schema, as a document of its own.
    package static var document: JSONNode {
        var sections: [(name: String, keys: [KnownKey])] = []
        for key in KnownKey.all {
            let section = key.name.split(separator: ".").dropLast().first.map(String.init) ?? ""
            if sections.last?.name != section { sections.append((section, [])) }
            sections[sections.count - 1].keys.append(key)
        }
        var members: [(String, Schema)] = [
            ("$schema", .text("where an editor finds this schema"))
        ]
        for section in sections {
            let keys = section.keys.map { key in
                (key.name.split(separator: ".").last.map(String.init) ?? "", key.schema)
            }
            members += section.name.isEmpty ? keys : [(section.name, .object(.init(keys)))]
        }
        return Schema.object(.init(members + [("servers", ServerSchema.servers)])).document(
            titled: "The configuration of syncd", defining: ServerSchema.definitions)
    }
}

extension KnownKey {
    fileprivate var schema: Schema {
        let told = "\(meaning) (\(allowed))"
        if let words = Self.words[name] { return .word(words, told) }
        return switch defaultValue {
        case .bool: .flag(told)
        case .integer: .integer(1...1_073_741_824, told)
        case .list: .list(of: .text(), 0...1000, told)
        case .null, .text: .text(told)
        }
    }

    private static let words: [String: [String]] = [
        "todos.idempotency": Settings.TodosSettings.Idempotency.allCases.map(\.rawValue),
        "log.level": LogLevel.allCases.map(\.rawValue),
        "log.format": Settings.LogSettings.Format.allCases.map(\.rawValue),
    ]
}
