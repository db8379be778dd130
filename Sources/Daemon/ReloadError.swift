/// Why a configuration that was read again is not taken; the old one stays.
public struct ReloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and where, without any secret.
    public let description: String
    /// One imperative sentence: what the person can do.
    public let hint: String

    /// A refusal with both sentences.
    public init(description: String, hint: String) {
        self.description = description
        self.hint = hint
    }
}
