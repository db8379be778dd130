internal import CommandLine
internal import Configuration
internal import Declarations
internal import Rendering
internal import Text

extension Command {
    static let config = Command(
        "config", "Prints the configuration, and the source of each value.",
        operands: OperandRule(
            name: "a KEY", usage: "[KEY]", count: 0...1,
            choices: KnownKey.all.map(\.name) + ["servers"]),
        options: [.json, OptionSpec("all", "print what is left at its default, too")],
        notes: [
            "It prints what is set, and the servers. With KEY, it prints only that value: `servers` for",
            "all servers, `servers.NAME` for one. Secrets are masked.",
        ],
        statuses: [.configuration],
        examples: [
            "syncd config --all", "syncd config servers", "sqlite3 \"$(syncd config database)\"",
        ]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.usableSettings(for: arguments)
        let values = settings.effectiveValues.filter {
            arguments.flags.contains("all") || $0.source != .standard
        }
        if let key = arguments.operands.first {
            if let servers = settings.servers(at: key) {
                try composition.console.write(text: String(decoding: servers.lines, as: UTF8.self))
                return .ok
            }
            guard let found = settings.effectiveValues.first(where: { $0.key == key }) else {
                throw arguments.usage(
                    "there is no key ‘\(Arguments.shown(key))’"
                        + NearestName.remark(on: key, among: settings.printedKeys))
            }
            try composition.console.write(value: found.value, asJSON: arguments.wantsJSON)
            return .ok
        }
        composition.console.note("the configuration is \(settings.file)")
        guard arguments.wantsJSON else {
            try composition.console.write(
                Table(
                    columns: [.init("key"), .init("value", isWhole: true), .init("source")],
                    rows: values.map { value in
                        [
                            .init(value.key),
                            .init(String(decoding: value.value.json.bytes, as: UTF8.self)),
                            .init(value.source.description),
                        ]
                    }
                        + settings.serverNames.map { name in
                            [
                                .init("servers.\(name)"),
                                .init(settings.server(named: name)?.json.compact ?? ""),
                                .init(settings.file),
                            ]
                        }))
            return .ok
        }
        try composition.console.write([
            "file": .string(settings.file),
            "state_directory": .string(settings.stateDirectory),
            "values": .array(
                values.map { value in
                    [
                        "key": .string(value.key), "value": value.value.json,
                        "source": .string(value.source.description),
                    ]
                }), "servers": .raw(Array(settings.allServers.compact.utf8)),
        ])
        return .ok
    }
}

extension Settings {
    /// The section of the servers, secrets masked.
    fileprivate var allServers: JSONNode {
        .object(serverNames.map { ($0, server(named: $0)?.json) })
    }

    /// What `servers` or `servers.NAME` names; nil for another key.
    fileprivate func servers(at key: String) -> JSONNode? {
        key == "servers"
            ? allServers
            : serverNames.first { "servers.\($0)" == key }.flatMap { server(named: $0)?.json }
    }

    /// Every key that can be printed.
    fileprivate var printedKeys: [String] {
        KnownKey.all.map(\.name) + ["servers"] + serverNames.map { "servers.\($0)" }
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
