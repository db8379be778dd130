/// The known name that a mistyped one was most likely meant to be.
public enum NearestName: Sendable {
    /// The one of `names` that takes the fewest single letters to add, drop or change; nil if even
    /// that name has little in common with the written one.
    public static func of(_ written: String, among names: [String]) -> String? {
        let wanted = Array(written.lowercased().utf8.prefix(64))
        let ranked = names.map {
            (name: $0, distance: distance(wanted, Array($0.lowercased().utf8)))
        }
        guard let nearest = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        let length = max(wanted.count, nearest.name.utf8.count)
        return nearest.distance <= max(2, length / 2) ? nearest.name : nil
    }

    /// `; the nearest one is NAME`, or nothing.
    public static func remark(
        on written: String, among names: [String], prefix: String = ""
    ) -> String {
        of(written, among: names).map { "; the nearest one is \(prefix)\($0)" } ?? ""
    }

    /// The Levenshtein distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let changed = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, min(row[column], row[column + 1]) + 1)
            }
        }
        return row[right.count]
    }
}
