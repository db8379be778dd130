package import Declarations
package import Host

/// Why a part of a list is read now, the most urgent first.
///
/// Law: what `changed` says is a hope, and `whole` the guarantee. So a part is read for a change of the row above it, and
/// in any case once in that time.
package enum PartTurn: Int, Sendable, Hashable, Comparable {
    /// Something was sent that only its rows can decide, or a row seems to have moved.
    case asked
    /// The row above it has changed.
    case changed
    /// It was not read for long.
    case aged

    /// Whether the one goes first.
    package static func < (one: PartTurn, other: PartTurn) -> Bool { one.rawValue < other.rawValue }

    /// Why it is its turn at `now`; nil: it is not, or it was never read. A cycle that `isForWrites` of a program reads
    /// nothing because of its age.
    package static func of(
        _ part: PartMemory, _ each: Each, isForWrites: Bool, now: BootTime
    ) -> PartTurn? {
        if part.readAt != nil || part.hasFailed, part.isWanted || part.isDoubtful { return .asked }
        if part.hasFailed { return isForWrites ? nil : .aged }
        guard let readAt = part.readAt else { return nil }
        if !each.changed.isEmpty, part.watchedNow != part.watchedThen { return .changed }
        if isForWrites { return nil }
        // How long ago something was in another boot, nobody knows.
        guard !each.changed.isEmpty, readAt.boot == now.boot else { return .aged }
        return now.elapsed(since: readAt) >= each.whole ? .aged : nil
    }

    /// The parts that a cycle reads, in pieces that are taken one after the other: as many as the declaration allows, or
    /// all that are due if `isWhole`, and then every new one. Those that could not be read the last time come last, so that
    /// they are in nobody's way. `parts` come with the oldest first.
    package static func pieces(
        of parts: [PartMemory], _ each: Each, isForWrites: Bool, isWhole: Bool = false,
        now: BootTime
    ) -> [[PartMemory]] {
        let turns = parts.compactMap { part in
            of(part, each, isForWrites: isForWrites, now: now).map { (part, $0) }
        }
        let due = turns.filter { !$0.0.hasFailed }
        let most = each.list == nil || isWhole ? Int.max : each.most
        // Doubts come first, and leave the others their half: what ends them can be a round of all parts.
        let asked = due.filter { $0.1 == .asked }.map(\.0)
            .sorted { ($0.round ?? 0) < ($1.round ?? 0) }
        let urgent = asked.prefix(most / 2)
        let others = [PartTurn.changed, .aged].flatMap { turn in
            due.filter { $0.1 == turn }.map(\.0)
        }
        let first = urgent + others + asked.dropFirst(urgent.count)
        let new = parts.filter(\.isNew)
        let failed = turns.filter(\.0.hasFailed).map(\.0)
        let all = Array(first.prefix(most)) + new + rotated(failed, by: now).prefix(most)
        let size = min(most, 1000)
        return stride(from: 0, to: all.count, by: size).map {
            Array(all[$0..<min($0 + size, all.count)])
        }
    }

    /// Each of them is the first one at some time.
    private static func rotated(_ parts: [PartMemory], by now: BootTime) -> [PartMemory] {
        guard !parts.isEmpty else { return [] }
        let start = Int(now.milliseconds / 1000 % Int64(parts.count))
        return Array(parts[start...] + parts[..<start])
    }
}
