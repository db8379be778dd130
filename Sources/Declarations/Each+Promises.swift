internal import Text

/// What is promised of a list in parts.
extension Each {
    /// Sentences for a person.
    func promises(of read: ReadCall?) -> [String] {
        let asksForRows = read.map { !isNamed(in: $0.path) } ?? false
        let leaving =
            "A row that its part lacks can have moved: it leaves when all parts were read and none has shown it,"
            + " twice" + (asksForRows ? ", or when a read says that it is gone." : ".")
        guard let list else {
            return [
                "The list has \(words.count) parts, which are all read in each cycle.", leaving,
            ]
        }
        let often = HumanTime.written(whole)
        let reading =
            changed.isEmpty
            ? "Each row of \(list) has a part. A cycle reads the \(most) oldest ones, and every new one."
            : "Each row of \(list) has a part. It is read again when \(Self.joined(changed)) of that row has changed,"
                + " and else within \(often)."
        return [
            reading, leaving,
            "If a row of \(list) leaves, everything below it leaves in the same commit.",
        ]
    }

    private static func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
