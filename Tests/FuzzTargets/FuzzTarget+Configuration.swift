import Configuration
import Host
import Rendering

extension FuzzTarget {
    /// The text of a configuration file.
    ///
    /// Laws: it gives settings or an error on one safe line; the settings as `config` prints them
    /// are a configuration, and it gives the same settings.
    static let configuration = FuzzTarget("configuration") { bytes in
        let environment = ["HOME": "/nonexistent/home"]
        let settings: Settings
        do throws(ConfigurationError) {
            settings = try Settings(bytes, path: "/c.json", environment: environment)
        } catch {
            try Hazard.requireNone(in: error.description, "an error")
            try Hazard.requireNone(in: error.hint, "a hint")
            try require(
                !error.description.isEmpty && !error.hint.isEmpty, "an error says something")
            return
        }
        let printed = settings.effectiveValues.file.bytes
        let again: Settings
        do throws(ConfigurationError) {
            again = try Settings(printed, path: "/c.json", environment: environment)
        } catch {
            throw BrokenLaw(
                description: "what is printed is a configuration, not \(error): "
                    + String(decoding: printed, as: UTF8.self))
        }
        let before = settings.effectiveValues.map { [$0.key, "\($0.value)"] }
        let after = again.effectiveValues.map { [$0.key, "\($0.value)"] }
        try require(before == after, "it is the same again: \(before), \(after)")
        try require(again.database == settings.database, "it names the same database")
    }
}

extension [EffectiveValue] {
    /// The values as a configuration file would hold them.
    fileprivate var file: JSONValue {
        var top: [JSONValue.Member] = []
        var sections: [(name: String, members: [JSONValue.Member])] = []
        for value in self {
            let parts = value.key.split(separator: ".").map(String.init)
            guard parts.count == 2 else {
                top.append(.init(value.key, value.value.json))
                continue
            }
            if sections.last?.name != parts[0] { sections.append((parts[0], [])) }
            sections[sections.count - 1].members.append(.init(parts[1], value.value.json))
        }
        return .object(top + sections.map { .init($0.name, .object($0.members)) })
    }
}

extension SettingValue {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(Int64(value))
        case .text(let text): .string(text)
        case .list(let texts): .array(texts.map(JSONValue.string))
        }
    }
}
