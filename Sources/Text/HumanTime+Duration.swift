extension HumanTime {
    /// The duration that a person wrote: numbers with units, largest unit first, none twice:
    /// `90s`, `1h30m`, `2d`, `250ms`; `0s` is one.
    ///
    /// Law: for every whole number of milliseconds, `duration(written(d)) == d`.
    ///
    /// - Throws: ``DurationTextError`` for anything else: no number, no or another unit, a sign,
    ///   white space, or more than 10 000 days.
    public static func duration(_ text: String) throws(DurationTextError) -> Duration {
        let bytes = Array(text.utf8)
        var index = 0
        var total: Int64 = 0
        var units = Self.units[...]
        guard !bytes.isEmpty else { throw .notADuration }
        while index < bytes.count {
            let digits = bytes[index...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            let letters = bytes[digits.endIndex...].prefix { UInt8(ascii: "a")...0x7A ~= $0 }
            guard !digits.isEmpty,
                let unit = units.firstIndex(where: { $0.name.utf8.elementsEqual(letters) })
            else { throw .notADuration }
            // Twelve digits of days still fit an Int64 in milliseconds many times over.
            guard digits.count <= 12, let number = Int64(String(decoding: digits, as: UTF8.self))
            else { throw .tooLong }
            let (part, overflow) = number.multipliedReportingOverflow(by: units[unit].milliseconds)
            guard !overflow, part <= longest - total else { throw .tooLong }
            total += part
            units = units[(unit + 1)...]
            index = letters.endIndex
        }
        return .milliseconds(total)
    }

    /// A duration in the form that ``duration(_:)`` reads, exact to the millisecond: `1h30m`.
    public static func written(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return "0s" }
        let held = min(seconds, longest / 1000)
        var rest = min(held * 1000 + attoseconds / 1_000_000_000_000_000, longest)
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text.isEmpty ? "0s" : text
    }

    private struct Unit {
        var name: String
        var milliseconds: Int64
    }

    private static let units = [
        Unit(name: "d", milliseconds: 86_400_000), Unit(name: "h", milliseconds: 3_600_000),
        Unit(name: "m", milliseconds: 60_000), Unit(name: "s", milliseconds: 1000),
        Unit(name: "ms", milliseconds: 1),
    ]

    /// 10 000 days.
    private static let longest: Int64 = 10_000 * 86_400_000
}
