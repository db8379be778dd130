/// Moments and durations as people write and read them.
///
/// Moments are whole milliseconds since 1970-01-01T00:00:00Z, always shown in UTC. Every function
/// is defined for every number: nothing traps, what does not fit is held at the end of the range.
public enum HumanTime: Sendable {
    /// How long something lasts, in its largest whole unit: `45s`, `2m`, `3h`, `5d`; under a second
    /// `120ms`. What is left over is dropped, so that `2m` means at least two minutes; a negative
    /// duration is shown as `0s`.
    public static func brief(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return "0s" }
        if seconds >= 86_400 { return "\(seconds / 86_400)d" }
        if seconds >= 3_600 { return "\(seconds / 3_600)h" }
        if seconds >= 60 { return "\(seconds / 60)m" }
        if seconds > 0 { return "\(seconds)s" }
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "0s" : "\(milliseconds)ms"
    }

    /// `moment` as seen at `now`: `3h ago`, `in 2m`, and `now` within a second.
    public static func relative(_ moment: Int64, now: Int64) -> String {
        let distance = moment > now ? moment.subtracting(now) : now.subtracting(moment)
        if distance < 1_000 { return "now" }
        let brief = brief(.milliseconds(distance))
        return moment > now ? "in \(brief)" : "\(brief) ago"
    }
}

extension Int64 {
    /// The difference, or the largest number where it does not fit; `other` is not the larger one.
    fileprivate func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : difference
    }
}
