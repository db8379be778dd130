/// Whether texts carry colour, and how a meaning looks.
///
/// Whether colour is wanted (a terminal, no `NO_COLOR`) is the caller's decision.
public struct Style: Sendable, Hashable {
    /// Whether ``applied(_:to:)`` adds anything.
    public var colour: Bool

    /// What a text means, which decides how it looks.
    public enum Emphasis: Sendable, Hashable, CaseIterable {
        case plain, strong, quiet, good, warning, bad
    }

    /// A style with or without colour.
    public init(colour: Bool) {
        self.colour = colour
    }

    /// `text` in the look of `emphasis`, which ends with the text; without colour, `text` itself.
    ///
    /// Only the sixteen colours that every palette defines are used (ECMA-48 §8.3.117, SGR).
    public func applied(_ emphasis: Emphasis, to text: String) -> String {
        guard colour, !text.isEmpty, let code = Self.code(of: emphasis) else { return text }
        return "\u{1b}[\(code)m\(text)\u{1b}[0m"
    }

    private static func code(of emphasis: Emphasis) -> Int? {
        switch emphasis {
        case .plain: nil
        case .strong: 1
        case .quiet: 2
        case .good: 32
        case .warning: 33
        case .bad: 31
        }
    }
}
