internal import Host

/// Decides which deletes a program may not have meant.
///
/// Law: deletes that were queued within a minute of each other are held if they take every row of a list of ten or
/// more, or more than half of a list of a hundred or more. The rows are the most that the list had at once in
/// that minute: a program that adds rows and deletes them again, a few at a time, is not held.
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
    package static func held(_ recent: RecentDeletes) -> [DeleteToHold] {
        let deletes = recent.deletes
        let moments = moments(of: deletes)
        var held: [DeleteToHold] = []
        var (first, next) = (0, 0)
        // Deletes whose rows are still counted: before the window, and in it.
        var (before, inside) = (Int64(0), Int64(0))
        // Of those that are done in the window, the ones that no later one exceeds.
        var peaks: [(index: Int, rows: Int64)] = []
        for last in deletes.indices {
            if case .done(let rows) = deletes[last].progress {
                while let peak = peaks.last, peak.rows <= rows { peaks.removeLast() }
                peaks.append((last, rows))
            } else {
                inside += 1
            }
            while moments[last] - moments[first] > window.wholeMilliseconds {
                if case .done = deletes[first].progress {
                    if peaks.first?.index == first { peaks.removeFirst() }
                } else {
                    (before, inside) = (before + 1, inside - 1)
                }
                first += 1
            }
            let now = recent.rows - before
            let most = max(now, peaks.first?.rows ?? 0)
            guard isMass(most - (now - inside), of: most) else { continue }
            held += deletes[max(first, next)...last].filter { $0.progress == .waiting }
                .map { DeleteToHold(sequence: $0.sequence, rows: most) }
            next = last + 1
        }
        return held
    }

    /// Whether a program may not have meant to delete `count` of `rows` rows at once.
    package static func isMass(_ count: Int64, of rows: Int64) -> Bool {
        rows >= smallestEmptied && count >= rows || rows >= smallestHalved && count * 2 > rows
    }

    /// When each was queued, in milliseconds since the first, by a clock that never goes back.
    private static func moments(of deletes: [RecentDeletes.Delete]) -> [Int64] {
        var moments: [Int64] = []
        for (index, delete) in deletes.enumerated() {
            guard index > 0, let last = moments.last else {
                moments.append(0)
                continue
            }
            let step = delete.queuedAt.milliseconds - deletes[index - 1].queuedAt.milliseconds
            moments.append(last + max(0, step))
        }
        return moments
    }
}
