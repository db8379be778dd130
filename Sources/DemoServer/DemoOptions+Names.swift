import Host

/// Names that are no options.
extension DemoOptions {
    static func unknown(_ given: String) -> DemoError {
        let names = Name.allCases.map(\.rawValue)
        let ranked = names.map { (name: $0, distance: editDistance($0, given)) }
        let start = "--\(LineText(given)) is not an option"
        guard let nearest = ranked.min(by: { $0.distance < $1.distance }) else {
            return .usage(start)
        }
        return .usage("\(start); the nearest one is --\(nearest.name)")
    }

    /// How many single characters have to change, come or go (Levenshtein).
    private static func editDistance(_ left: String, _ right: String) -> Int {
        // A longer argument is far from every option; this bounds the work.
        let right = Array(right.prefix(64))
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substituted = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, min(row[column], row[column + 1]) + 1)
            }
        }
        return row[right.count]
    }
}
