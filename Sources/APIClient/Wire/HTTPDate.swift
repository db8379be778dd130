/// A moment in a header, to the second.
///
/// Reads all three formats that a recipient must: `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The name of the weekday must be
/// one, but need not be the right one. Source: RFC 9110 §5.6.7.
public struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    public let seconds: Int64

    /// A moment so many seconds after 1970.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Earlier first.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    /// Reads a date; `nil` for anything else.
    ///
    /// - Parameters:
    ///   - text: the header's value, without white space around it.
    ///   - reference: decides the century of a year of two digits: the one that puts the date
    ///     within fifty years of it. Without one, 70 to 99 are of the twentieth century.
    public init?(_ text: String, near reference: HTTPDate? = nil) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 40, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let parts: Parts?
        switch words.count {
        case 6 where words[5] == "GMT":
            parts = Parts(
                weekday: words[0], day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(
                String.init)
            guard date.count == 3 else { return nil }
            parts = Parts(
                longWeekday: words[0], day: date[0], month: date[1], shortYear: date[2],
                time: words[2],
                near: reference)
        case 6 where words[2].isEmpty:
            parts = Parts(
                asctime: words[0], month: words[1], day: "0" + words[3], time: words[4],
                year: words[5])
        case 5:
            parts = Parts(
                asctime: words[0], month: words[1], day: words[2], time: words[3], year: words[4])
        default:
            parts = nil
        }
        guard let parts else { return nil }
        seconds = parts.seconds
    }
}
