import Declarations
import Host
import Rules
import SQLite
import Store
import Tables
import Testing

@Suite struct ExplainTests {
    private let cache: Cache
    private let notes: ListTable

    init() async throws {
        cache = try Cache()
        notes = try Self.list(#""create": true, "update": true, "delete": true"#)
        _ = try await cache.store.table(of: notes)
        try await bring()
    }

    private static func list(_ calls: String, name: String = "notes") throws -> ListTable {
        let (title, size) =
            calls.contains("update")
            ? (#"{"text": "$.title", "write": "both"}"#, #"{"integer": "$.size", "write": "both"}"#)
            : (#"{"text": "$.title", "write": "create"}"#, #""integer $.size""#)
        return ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/\(name)", "id": "$.id", \(calls),
                 "columns": {"title": \(title), "size": \(size), "changed": "text $.changed"}}
                """, name: name))
    }

    private func bring(name: String = "notes") async throws {
        try await cache.execute(
            """
            UPDATE control SET applying = '\(name)';
            INSERT INTO s_\(name) VALUES (1, 'n1', '{"id":"n1","title":"one","size":1,"changed":"c"}');
            INSERT INTO \(name) (_id, title, size, changed, _server_id, _state)
            VALUES (1, 'one', 1, 'c', 'n1', 'synced');
            UPDATE control SET applying = NULL;
            UPDATE sync_state SET last_success_at = 5000 WHERE list = '\(name)';
            """)
    }

    private func column(
        _ name: String, _ value: String?, _ server: String??, sent: String?? = .none,
        isEdit: Bool = false
    ) -> ExplainedRow.Column {
        .init(
            name: name, value: FieldValue(value), server: server.map { FieldValue($0) },
            sent: sent.map { FieldValue($0) }, isEdit: isEdit)
    }

    @Test func `a row of the server has its values from there`() async throws {
        #expect(
            try await cache.store.explain(1, of: notes)
                == ExplainedRow(
                    list: "notes", id: 1, serverID: "n1", pulledAt: WallTime(milliseconds: 5000),
                    columns: [
                        column("title", "one", "one"), column("size", "1", "1"),
                        column("changed", "c", "c"),
                    ]))
        await #expect(throws: StoreError.unknownRow(9, of: notes.declaration.name)) {
            try await cache.store.explain(9, of: notes)
        }
    }

    @Test func `an edit that waits lies over what was sent, and that over the server's value`()
        async throws
    {
        try await cache.execute(
            """
            UPDATE notes SET title = 'two', size = NULL;
            UPDATE operation SET state = 'in doubt', stage = 0, undecided = 1, attempts = 1,
                sent = '{"0":"two","1":null}', sent_boot = 'b', sent_ms = 7, first_sent_boot = 'b',
                first_sent_ms = 7, settling_ms = 20000, last_status = 502, last_error = 'bad gateway';
            UPDATE notes SET title = 'three';
            """)
        let row = try await cache.store.explain(1, of: notes)
        #expect(
            row.columns == [
                column("title", "three", "one", sent: "two", isEdit: true),
                column("size", nil, "1", sent: .some(nil)), column("changed", "c", "c"),
            ])
        let moment = try #require(row.operations.first).queuedAt
        let sent = ExplainedRow.Operation(
            sequence: OperationSequence(rawValue: 1), kind: .update, state: .inDoubt, attempts: 1,
            queuedAt: moment, sentAt: BootTime(boot: "b", milliseconds: 7),
            settlingTime: .seconds(20), lastStatus: 502, lastError: "bad gateway")
        #expect(row.operations.first == sent)
        #expect(row.operations.map(\.kind) == [.update, .update])
        #expect(row.operations.map(\.state) == [.inDoubt, .queued])
    }

    @Test func `a new row has its values from its create, and a hidden one is there`() async throws
    {
        try await cache.execute(
            "INSERT INTO notes (title) VALUES ('new'); DELETE FROM notes WHERE _id = 1")
        let new = try await cache.store.explain(2, of: notes)
        #expect(new.serverID == nil)
        #expect(
            new.columns == [
                column("title", "new", nil), column("size", nil, nil), column("changed", nil, nil),
            ])
        #expect(new.operations.map(\.kind) == [.create])
        let hidden = try await cache.store.explain(1, of: notes)
        #expect(!hidden.isShown)
        #expect(hidden.columns.first == column("title", "one", "one"))
        #expect(hidden.operations.map(\.kind) == [.delete])
    }

    @Test func `a dropped edit shows until syncd looks`() async throws {
        try await cache.execute("UPDATE notes SET title = 'two'; DELETE FROM outbox")
        let row = try await cache.store.explain(1, of: notes)
        #expect(row.columns.first == column("title", "two", "one"))
        #expect(row.operations == [])
    }

    @Test func `a list without calls for changes is told of, too`() async throws {
        let plain = try Self.list(#""create": true"#, name: "plain")
        _ = try await cache.store.table(of: plain)
        try await bring(name: "plain")
        let known = try await cache.store.explain(1, of: plain)
        #expect(known.columns.first == column("title", "one", "one"))
        try await cache.execute("INSERT INTO plain (title) VALUES ('new')")
        let new = try await cache.store.explain(2, of: plain)
        #expect(new.columns.first == column("title", "new", nil))
        #expect(new.operations.map(\.state) == [.queued])
    }

    @Test func `a list that is only read has every value from the server`() async throws {
        let read = ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/read", "id": "$.id",
                 "columns": {"title": "text $.title", "size": "real $.size"}}
                """, name: "read"))
        _ = try await cache.store.table(of: read)
        try await cache.execute(
            """
            UPDATE control SET applying = 'read';
            INSERT INTO read (_id, title, size, _server_id, _rank, _fetched_at, _document)
            VALUES (4, 'a', 1.5, 'r4', 1, 'now', '{}');
            UPDATE control SET applying = NULL;
            """)
        #expect(
            try await cache.store.explain(4, of: read)
                == ExplainedRow(
                    list: "read", id: 4, serverID: "r4", pulledAt: nil,
                    columns: [column("title", "a", "a"), column("size", "1.5", "1.5")]))
    }
}
