/// Why a text is no duration.
public enum DurationTextError: Error, Sendable, Hashable, CustomStringConvertible {
    case notADuration(String)
    case tooLong(String)

    /// What is wrong, with the text as it was given.
    public var description: String {
        switch self {
        case .notADuration(let text): "‘\(ForeignText(text))’ is not a duration"
        case .tooLong(let text): "the duration ‘\(ForeignText(text))’ is longer than 10000 days"
        }
    }

    /// What to write instead.
    public var hint: String {
        "Write numbers with the units d, h, m, s or ms, largest first, such as 90s or 1h30m."
    }
}
