internal import Host

/// Decides which deletes a program may not have meant.
///
/// Law: deletes that were queued within a minute of each other are held if they are every row of a list of ten or
/// more, or more than half of the rows of a list of a hundred or more. The rows are those that the list had before
/// the first of them.
///
/// A minute is told by the wall clock, because no other one is known of a program's write. Where that clock
/// was set back between two deletes, they count as written at once: then too much is held, and not too little.
package enum DeleteGuard {
    /// A list of fewer rows may be emptied.
    package static let smallestEmptied: Int64 = 10
    /// A list of fewer rows may lose more than half of them.
    package static let smallestHalved: Int64 = 100
    /// Deletes that are further apart do not belong together.
    package static let window = Duration.seconds(60)

    /// The deletes to hold, in queue order.
    package static func held(_ recent: RecentDeletes) -> [OperationSequence] {
        let deletes = recent.deletes
        var moments: [Int64] = []
        for (index, delete) in deletes.enumerated() {
            let step =
                index == 0
                ? 0
                : max(0, delete.queuedAt.milliseconds - deletes[index - 1].queuedAt.milliseconds)
            moments.append((moments.last ?? 0) + step)
        }
        var held: [OperationSequence] = []
        var first = 0
        // What comes before is held already, or lies beside every window that holds.
        var next = 0
        for last in deletes.indices {
            while moments[last] - moments[first] > window.wholeMilliseconds { first += 1 }
            let count = Int64(last - first + 1)
            // The rows of the deletes before the window were gone by then.
            guard isMass(count, of: recent.rows - Int64(first)) else { continue }
            held += deletes[max(first, next)...last].filter(\.isWaiting).map(\.sequence)
            next = last + 1
        }
        return held
    }

    /// Whether a program may not have meant to delete `count` of `rows` rows at once.
    package static func isMass(_ count: Int64, of rows: Int64) -> Bool {
        rows >= smallestEmptied && count >= rows || rows >= smallestHalved && count * 2 > rows
    }
}
