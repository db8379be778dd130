/// Why a text is no duration.
public enum DurationTextError: Error, Sendable, Hashable, CustomStringConvertible {
    case notADuration
    case tooLong

    /// What is wrong, to be read after the text.
    public var description: String {
        switch self {
        case .notADuration: "is not a duration"
        case .tooLong: "is longer than 10000 days"
        }
    }
}
