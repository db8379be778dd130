internal import Configuration
internal import Rendering

extension Command {
    static let config = Command(
        "config", "Prints every key of the configuration as it holds, and where it comes from.",
        options: [.json], notes: ["Secrets are masked."], statuses: [.configuration],
        examples: ["syncd config --config /etc/syncd/config.json"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        composition.console.note("the configuration is \(settings.file)")
        guard arguments.wantsJSON else {
            try composition.console.write(
                Table(
                    columns: [.init("key"), .init("value", isFlexible: true), .init("source")],
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

extension SettingValue {
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
