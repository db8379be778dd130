package import Declarations
package import Host
package import Store
internal import SyncEngine

/// Everything in one line for people, as `systemctl status` shows it.
package struct StatusLine: Sendable, Hashable, CustomStringConvertible {
    /// The line; foreign text in it is escaped by who sends it.
    package let description: String

    /// Tells `standing` as it is at `now`, of `lists` alone, and after it `remarks`.
    ///
    /// - Parameters:
    ///   - standing: Nil before anything is known.
    ///   - lists: Those that are synced.
    ///   - remarks: What else a person should know, the most important first.
    ///   - now: A moment of another day is shown with its date.
    package init(
        _ standing: Standing?, of lists: [ListName], remarks: [String], now: WallTime
    ) {
        let rows = (standing?.lists ?? []).filter { row in
            lists.contains { $0.text == row.list }
        }
        var parts = rows.map { Self.part($0, now: now) }
        if let queue = standing?.queue { parts.append(Self.part(queue)) }
        if parts.isEmpty { parts = ["starting"] }
        description = (parts + remarks).joined(separator: "; ")
    }

    private static func part(_ row: StatusRow, now: WallTime) -> String {
        var facts: [String] = []
        switch SyncState(rawValue: row.state) {
        case .ok: if let notice = row.lastError { facts.append("\(row.state) (\(notice))") }
        case .waiting where row.lastError == nil: facts.append("waiting")
        case .waiting, .offline, .failing, .needsCredentials, .misconfigured, .untrusted, .held,
            nil:
            facts.append(row.state + (row.lastError.map { " (\($0))" } ?? ""))
        }
        if let halt = row.halt { facts.append(halt.problem) }
        if row.changes.stuck > 0 { facts.append("\(row.changes.stuck) stuck") }
        if let rows = row.rows { facts.append("\(rows) \(rows == 1 ? "row" : "rows")") }
        if let due = row.nextDueAt { facts.append("next \(shortened(due, now: now))") }
        if facts.isEmpty { facts = [row.state] }
        return "\(row.list): " + facts.joined(separator: ", ")
    }

    private static func part(_ queue: QueueCounts) -> String {
        guard queue.total > 0 else { return "queue: empty" }
        let kinds = [
            (queue.queued, "queued"), (queue.sending, "sending"), (queue.inDoubt, "in doubt"),
            (queue.acknowledged, "acknowledged"), (queue.rejected, "rejected"),
        ]
        let counted = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "queue: " + counted.joined(separator: ", ")
    }

    /// `18:02:33 UTC` of `YYYY-MM-DDTHH:MM:SS.sssZ`, with its date where that is not today's.
    private static func shortened(_ moment: String, now: WallTime) -> String {
        let time = moment.dropFirst(11).prefix(8)
        let date = moment.prefix(10)
        guard now.description.hasPrefix(date) else { return "\(date) \(time) UTC" }
        return "\(time) UTC"
    }
}
