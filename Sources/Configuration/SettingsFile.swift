internal import APIClient
internal import Declarations
internal import Host
internal import Text

/// The keys of one configuration file, each found to be known, with their places.
struct SettingsFile {
    let path: String
    private let locations: Locations
    private let bytes: [UInt8]
    private var nodes: [String: JSONNode] = [:]
    /// The section of the servers; nil where there is none.
    private var servers: JSONNode?
    /// The sections of known keys that are there, also empty ones.
    private var sections: Set<String> = []

    /// Reads `bytes` as the file at `path`.
    init(
        path: String, bytes: [UInt8], locations: Locations
    ) throws(ConfigurationError) {
        self.path = path
        self.locations = locations
        self.bytes = bytes
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONReader.read(bytes)
        } catch {
            throw .syntax(
                .init(file: path, position: error.position), reason: error.reason)
        }
        guard case .object(let members) = root.value else {
            throw .badValue(
                place(root.offset), name: "the configuration", value: root.excerpt,
                allowed: "an object")
        }
        for member in members { try take(member, section: nil) }
    }

    private mutating func take(
        _ member: JSONNode.Member, section: String?
    ) throws(ConfigurationError) {
        let name = section.map { "\($0).\(member.key)" } ?? member.key
        if section == nil, name == "servers" {
            servers = member.node
            return
        }
        // For editors, which read the grammar there.
        if section == nil, name == "$schema" { return }
        if section == nil && KnownKey.sections.contains(name) {
            guard case .object(let members) = member.node.value else {
                // A text can be a secret that was meant for a key inside.
                let isText = if case .text = member.node.value { true } else { false }
                throw .badValue(
                    place(member.node.offset), name: name,
                    value: isText ? nil : member.node.excerpt, allowed: "an object")
            }
            sections.insert(name)
            for inner in members { try take(inner, section: name) }
            return
        }
        // A dot inside a key would make another spelling of a nested one.
        guard KnownKey.named(name) != nil, !member.key.contains(".") else {
            throw .unknownKey(
                place(member.offset), name: name, nearest: KnownKey.nearest(to: name))
        }
        nodes[name] = member.node
    }

    private func place(_ offset: Int) -> ConfigurationError.Place {
        .init(file: path, position: TextPosition(offset: offset, in: bytes))
    }

    /// The servers of declared lists.
    func servers(
        _ rules: ServerDescription.Rules
    ) throws(ConfigurationError) -> [String: ServerDescription] {
        guard let servers else { return [:] }
        do throws(DeclarationError) {
            return try ServerDescription.section(servers, in: bytes, rules: rules)
        } catch {
            throw .declaration(path: path, error.problems)
        }
    }

    /// Where the value of `name` stands; the file's start where the key is not set.
    func place(of name: String) -> ConfigurationError.Place { place(nodes[name]?.offset ?? 0) }

    /// Whether the key stands in the file, also with `null`.
    func isSet(_ name: String) -> Bool { nodes[name] != nil }

    /// What decides the value of `name`.
    func source(of name: String) -> EffectiveValue.Source {
        isSet(name) ? .file(path, line: place(of: name).position.line) : .standard
    }

    /// The refusal of the value of `name`.
    func refusal(_ name: String) -> ConfigurationError {
        let key = KnownKey.named(name)
        let mayBeShown = key?.mayHoldSecret == false
        return .badValue(
            place(of: name), name: name,
            value: mayBeShown ? nodes[name]?.excerpt ?? "the default" : nil,
            allowed: key?.allowed ?? "left out")
    }

    /// The value of a key that the file does not have. Where a whole section is missing, nobody has
    /// asked for its list, so that nothing is kept.
    private func standard(_ name: String) -> SettingValue {
        let parts = name.split(separator: ".")
        if parts.count == 2, parts[1] == "enabled", !sections.contains(String(parts[0])) {
            return .bool(false)
        }
        return KnownKey.named(name)?.defaultValue ?? .null
    }

    /// The value of `name`, or its default: one form, whatever the key makes of it. A path is expanded.
    func value(_ name: String) throws(ConfigurationError) -> SettingValue {
        let key = KnownKey.named(name)
        guard let node = nodes[name] else { return standard(name) }
        switch node.value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .text(let text):
            let isPath = key?.isPath ?? false
            return .text(isPath ? try locations.expanded(text, of: name) : text)
        case .number(let text):
            // Only whole numbers are due anywhere, written in the one way that JSON knows: no 01, +1.
            guard let number = Int(text), String(number) == text else { throw refusal(name) }
            return .integer(number)
        case .list(let items):
            var texts: [String] = []
            for item in items {
                guard case .text(let text) = item.value else { throw refusal(name) }
                texts.append(text)
            }
            return .list(texts)
        case .object: throw refusal(name)
        }
    }
}
