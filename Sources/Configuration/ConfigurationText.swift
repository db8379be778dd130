import Text

/// A configuration file as text that a program changes: it sets and takes out single keys, and all others
/// stay as they are, in their order.
///
/// The layout is its own: two spaces for each level, one key a line. JSON has no comments to lose.
public struct ConfigurationText: Sendable, Hashable {
    private var members: [JSONNode.Member]

    /// An empty configuration.
    public init() { members = [] }

    /// Reads a file that was found to be a configuration.
    ///
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - path: The file, for messages.
    /// - Throws: ``ConfigurationError/syntax(_:reason:)`` for what is no JSON,
    ///   ``ConfigurationError/badValue(_:name:value:allowed:)`` for JSON that is no object.
    public init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONReader.read(bytes)
        } catch {
            throw .syntax(.init(file: path, position: error.position), reason: error.reason)
        }
        guard case .object(let members) = root.value else {
            throw .badValue(
                .init(file: path, position: TextPosition(offset: root.offset, in: bytes)),
                name: "the configuration", value: root.excerpt, allowed: "an object")
        }
        self.members = members
    }

    /// Sets a key in its place, behind the others of its section where it is new, or takes it out.
    ///
    /// - Parameters:
    ///   - name: The key with dots, as in ``KnownKey/name``: `todos.email`.
    ///   - value: Its value, not checked here; nil takes the key out.
    public mutating func set(_ name: String, to value: SettingValue?) {
        let parts = name.split(separator: ".", maxSplits: 1).map { String($0) }
        guard let first = parts.first else { return }
        let node = value.map(Self.node)
        guard parts.count == 2 else {
            Self.set(first, to: node, in: &members)
            return
        }
        var section: [JSONNode.Member] = []
        if let found = members.first(where: { $0.key == first }),
            case .object(let inner) = found.node.value
        {
            section = inner
        } else if value == nil {
            return
        }
        Self.set(parts[1], to: node, in: &section)
        Self.set(first, to: JSONNode(.object(section)), in: &members)
    }

    /// The file's content, with a newline at the end.
    public var bytes: [UInt8] { JSONNode(.object(members)).lines }

    private static func set(
        _ key: String, to node: JSONNode?, in members: inout [JSONNode.Member]
    ) {
        let place = members.firstIndex { $0.key == key }
        switch (node, place) {
        case (let node?, let place?): members[place] = .init(key: key, offset: 0, node: node)
        case (let node?, nil): members.append(.init(key: key, offset: 0, node: node))
        case (nil, let place?): members.remove(at: place)
        case (nil, nil): break
        }
    }

    private static func node(_ value: SettingValue) -> JSONNode {
        switch value {
        case .null: JSONNode(.null)
        case .bool(let value): .bool(value)
        case .integer(let value): .number(value)
        case .text(let text): .text(text)
        case .list(let texts): .texts(texts)
        }
    }
}
