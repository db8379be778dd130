public import Declarations
internal import SQLite

/// Sync requests that a daemon has taken and not answered yet.
public struct TakenRequests: Sendable, Hashable {
    /// What was asked for; `all` stands for every list.
    public let lists: Set<ListName>
    /// The lists whose held pull a person accepts. An acceptance never counts for another
    /// list.
    public let acceptingRemovals: Set<ListName>
    /// The last request of the batch, for ``CacheStore/finish(_:)``.
    public let last: Int64

    /// A batch from its parts, for tests of what the daemon makes of it.
    package init(lists: Set<ListName>, acceptingRemovals: Set<ListName>, last: Int64) {
        self.lists = lists
        self.acceptingRemovals = acceptingRemovals
        self.last = last
    }
}

extension CacheStore {
    /// Asks the daemon for a cycle, and returns what ``isPending(_:)`` takes.
    public func requestSync(
        of list: ListName?, acceptsRemovals: Bool
    ) throws(StoreError) -> Int64 {
        try write(.normal) {
            try connection.run(
                """
                INSERT INTO sync_request (list, requested_at, accepts_removals)
                VALUES (?, CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), ?)
                """, .text(list?.text ?? "all"), .flag(acceptsRemovals))
            return connection.lastInsertedRowID
        }
    }

    /// Whether the request has not been answered yet.
    public func isPending(_ request: Int64) throws(StoreError) -> Bool {
        try read {
            try connection.count(
                "SELECT count(*) FROM sync_request WHERE seq = ?", .integer(request)) > 0
        }
    }

    /// Takes the requests that wait, nil when there are none; a cycle follows for each list.
    /// With `again`, also those that were taken before: their daemon ended without an answer.
    public func takeRequests(again: Bool) throws(StoreError) -> TakenRequests? {
        let waiting = try read {
            try connection.count(
                "SELECT count(*) FROM sync_request WHERE taken <= ?", .flag(again))
        }
        guard waiting > 0 else { return nil }
        return try write(.normal) {
            var accepting: Set<String> = []
            // A request that was taken before has accepted only for its own cycle.
            try connection.each(
                "SELECT list FROM sync_request WHERE accepts_removals = 1 AND taken <= ?",
                [.flag(again)]
            ) { accepting.insert($0.text(0)) }
            try connection.run("UPDATE sync_request SET taken = 1 WHERE taken = 0")
            var asked: Set<String> = []
            var last: Int64 = 0
            try connection.each("SELECT seq, list FROM sync_request WHERE taken = 1", []) {
                row in
                last = max(last, row.integer(0))
                asked.insert(row.text(1))
            }
            return TakenRequests(
                lists: Set(try asked.flatMap { try lists(askedFor: $0) }),
                acceptingRemovals: Set(try accepting.flatMap { try lists(askedFor: $0) }),
                last: last)
        }
    }

    /// All that have a status stand for `all`.
    private func lists(askedFor text: String) throws(SQLiteError) -> [ListName] {
        guard text == "all" else { return [ListName(kept: text)] }
        return try connection.all("SELECT list FROM sync_state") {
            ListName(kept: $0.text(0))
        }
    }

    /// Answers the requests of a batch: their cycles have ended and their status is written.
    public func finish(_ requests: TakenRequests) throws(StoreError) {
        try write(.normal) {
            try connection.run(
                "DELETE FROM sync_request WHERE taken = 1 AND seq <= ?", .integer(requests.last))
        }
    }
}
