internal import CommandLine
internal import Configuration
internal import Rendering
internal import Text

extension Command {
    static let config = Command(
        "config", "Prints the configuration, and the source of each value.",
        operands: OperandRule(
            name: "a KEY", usage: "[KEY]", count: 0...1, choices: KnownKey.all.map(\.name)),
        options: [.json],
        notes: ["With KEY, it prints only that value. Secrets are masked."],
        statuses: [.configuration],
        examples: [
            "syncd config --config /etc/syncd/config.json", "sqlite3 \"$(syncd config database)\"",
        ]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        if let key = arguments.operands.first {
            guard let found = settings.effectiveValues.first(where: { $0.key == key }) else {
                throw arguments.usage(
                    "there is no key ‘\(Arguments.shown(key))’"
                        + NearestName.remark(on: key, among: KnownKey.all.map(\.name)))
            }
            try composition.console.write(value: found.value, asJSON: arguments.wantsJSON)
            return .ok
        }
        composition.console.note("the configuration is \(settings.file)")
        guard arguments.wantsJSON else {
            try composition.console.write(
                Table(
                    columns: [.init("key"), .init("value", isWhole: true), .init("source")],
                    rows: settings.effectiveValues.map { value in
                        [
                            .init(value.key),
                            .init(String(decoding: value.value.json.bytes, as: UTF8.self)),
                            .init(value.source.description),
                        ]
                    }))
            return .ok
        }
        try composition.console.write([
            "file": .string(settings.file),
            "state_directory": .string(settings.stateDirectory),
            "values": .array(
                settings.effectiveValues.map { value in
                    [
                        "key": .string(value.key), "value": value.value.json,
                        "source": .string(value.source.description),
                    ]
                }),
        ])
        return .ok
    }
}

extension Console {
    /// One value alone: for a script as it is, for a terminal escaped.
    fileprivate func write(value: SettingValue, asJSON: Bool) throws(CommandError) {
        guard !asJSON else { return try write(value.json) }
        switch destination {
        case .stream: try write(line: value.plain)
        case .terminal: try write(line: ForeignText(value.plain).escaped)
        }
    }
}

extension SettingValue {
    /// As a script takes it: a text without quotes, nothing for null.
    fileprivate var plain: String {
        switch self {
        case .null: ""
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .text(let text): text
        case .list(let texts): texts.joined(separator: "\n")
        }
    }

    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(Int64(value))
        case .text(let text): .string(text)
        case .list(let texts): .array(texts.map(JSONValue.string))
        }
    }
}
