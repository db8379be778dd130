/// A key as it holds, and why.
public struct EffectiveValue: Sendable, Hashable {
    /// What decided the value.
    public enum Source: Sendable, Hashable, CustomStringConvertible {
        /// Nothing: the key's default.
        case standard
        /// The configuration file, at this line.
        case file(String, line: Int)
        /// The default, by a variable of the environment that names a directory.
        case environment(String)
        /// A credential of the service manager.
        case credential(String)

        /// The source in a few words: `default`, `FILE:LINE`, `$NAME`, `credential PATH`.
        public var description: String {
            switch self {
            case .standard: "default"
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let name): "$\(name)"
            case .credential(let path): "credential \(path)"
            }
        }
    }

    /// The key's name with dots.
    public let key: String
    /// The value; ``Secret/mask`` in a secret's place.
    public let value: SettingValue
    /// What decided it.
    public let source: Source

    /// A row.
    public init(key: String, value: SettingValue, source: Source) {
        self.key = key
        self.value = value
        self.source = source
    }
}
