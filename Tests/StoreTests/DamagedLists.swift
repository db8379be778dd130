import Declarations
import Recovery
import Rules
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// Lists of the tests of a salvage.
enum DeclaredLists {
    /// A list that programs write to: a text that each row has, a boolean, a number and JSON, some of them inside
    /// objects of the document.
    static let notes = list(
        "notes",
        """
        "id": "$.ref.id", "create": true, "delete": true,
        "columns": {"nr": "@id",
            "title": {"text": "$.title", "write": "create", "required": true, "empty": false},
            "done": {"boolean": "$.done", "write": "create"},
            "size": {"integer": "$.ref.size", "write": "create"},
            "extra": {"json": "$.extra", "write": "create"}}
        """)

    /// One with this text behind its path. A fault of the text stops the tests.
    static func list(_ name: String, _ rest: String) -> ListTable {
        do {
            return ListTable(
                try Declaration.stored(
                    #"{"server": "office", "list": "/\#(name)", \#(rest)}"#, name: name))
        } catch {
            preconditionFailure("\(name): \(error)")
        }
    }
}

extension DamagedCache {
    /// One of todos with a queue, and of notes with a queue in every state: six notes of the server, of which one
    /// waits for its delete and one has a delete that was refused, and six others.
    static func withNotes() async throws -> DamagedCache {
        let cache = try await DamagedCache()
        let store = try Cache.open(.file(cache.path))
        let notes = try await store.table(of: DeclaredLists.notes)
        try await store.bind(notes.declaration.name, to: cousin)
        let pulled = (1...6).map {
            """
            {"ref": {"id": "n\($0)", "size": \($0)}, "title": "pulled \($0)", "done": \($0 % 2 == 0),
             "extra": {"a": [1, "ü", null]}, "more": \($0)}
            """
        }
        try await store.pull("[\(pulled.joined(separator: ","))]", of: notes)
        for (number, state) in [
            (7, OperationState.rejected), (8, .sending), (9, .inDoubt), (10, .inDoubt),
            (11, .queued), (12, .queued),
        ] {
            let row = RowToAdd(values: [
                .text("new \(number)"), .integer(number == 7 ? 1 : 0),
                .integer(.max - Int64(number)),
                .text(#"{"n":\#(number)}"#),
            ])
            _ = try await store.addRows([row], to: notes)
            try await store.bring(row: Int64(number), of: notes, to: state)
        }
        for (row, state) in [(2, OperationState.queued), (3, .rejected), (10, .queued)] {
            try await store.removeRows([Int64(row)], of: notes)
            try await store.bring(row: Int64(row), of: notes, to: state)
        }
        try cache.directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        return cache
    }

    /// The rows of a query on a connection of its own.
    func rows(_ sql: String) throws -> [String] {
        let connection = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        connection.keepWALOnClose()
        return try connection.rows(sql)
    }

    /// Runs SQL as the stock program does, then damages the movies, and salvages the rest. Fails the test where
    /// the new cache breaks a law.
    func salvaged(after sql: String = "SELECT 1", spoiling table: String = "movies") async throws
        -> SalvageReport
    {
        try directory.sqlite(sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
        try spoil(table)
        let report = try #require(try salvage())
        let violations = try await StoreInvariants.violations(in: Cache.open(.file(path)))
        #expect(violations == [])
        return report
    }
}

/// Somebody else's account, at another server.
let cousin = Account(baseURL: "http://127.0.0.1:9090", email: "cousin")

extension CacheStore {
    /// Brings the newest operation of a row to `state`.
    fileprivate func bring(row: Int64, of list: ListTable, to state: OperationState) throws {
        let name = list.declaration.name.text
        let operation = try #require(
            try outbox().last { $0.row == row && $0.list == name }?.sequence)
        guard state != .queued else { return }
        let taken = try settle(nil, taking: operation, of: list)
        try #require(taken.outgoing.count == 1)
        switch state {
        case .queued, .sending: break
        case .inDoubt:
            _ = try settle(.doubtful(wait(5000), isOver: false), taking: operation, of: list)
        case .acknowledged: _ = try settle(.answered(), taking: operation, of: list)
        case .rejected:
            _ = try settle(lastRefusal(of: operation), taking: operation, of: list)
        }
    }

    private func settle(
        _ settlement: Settlement?, taking operation: OperationSequence, of list: ListTable
    ) throws(StoreError) -> ReplayCommit {
        try exchange(
            of: list, settling: settlement.map { [(operation, $0)] } ?? [],
            taking: settlement == nil ? [operation] : [], for: cousin, now: boot(1000),
            settlingTime: .seconds(20))
    }

    /// Pulls `body` as the whole list.
    func pull(_ body: String, of list: ListTable) async throws(StoreError) {
        try beginPull(of: list)
        let facts = try await stage(Array(body.utf8), page: 1, of: list)
        let page = PublishedPage(
            number: 1, url: "http://127.0.0.1:9090/",
            validators: StoredValidators(entityTag: nil, lastModified: nil), facts: facts)
        guard !list.declaration.isReadOnly else {
            _ = try await publish([page], of: list, reach: .complete, now: noon) { _ in false }
            return
        }
        _ = try reconcile([page], of: list, now: noon) { staged in
            let pull = staged.judged()
            try pull.addRows()
            return pull.reconciled()
        }
        try confirm(list)
    }
}
