internal import Glibc

/// The time zone of this machine, or of the variable `TZ`.
public enum LocalZone: Sendable {
    /// How many milliseconds its clocks are ahead of UTC at `moment`, which counts milliseconds since 1970;
    /// 0 where the C library does not know.
    ///
    /// Source: localtime_r(3).
    public static func offset(at moment: Int64) -> Int64 {
        var seconds = time_t(moment / 1000)
        var parts = tm()
        // Unlike localtime(3), it need not read TZ.
        tzset()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        return Int64(parts.tm_gmtoff) * 1000
    }
}
