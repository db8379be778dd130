import Rules
import SQLite
import Store
import TestSupport
import Testing

/// A list that came before need not be read again, as long as that would change nothing.
@Suite struct `a list that is known` {
    private let body = list((1...20).map { ($0, "todo \($0)") })

    private func confirm(
        _ body: String, in cache: Cache, url: String = todosURL, entityTag: String? = nil
    ) async throws -> Int64? {
        try await cache.store.confirmTodos(
            body: Array(body.utf8), url: url,
            validators: StoredValidators(entityTag: entityTag, lastModified: nil))
    }

    @Test func `one that came before is confirmed with its number of rows`() async throws {
        let cache = try Cache()
        #expect(try await confirm(body, in: cache) == nil)
        try await cache.store.pull(body)
        #expect(try await confirm(body, in: cache) == 20)
        #expect(try await confirm(body, in: cache) == 20)
        try await cache.store.checkpointIfDue()
        #expect(try await confirm(body, in: cache) == 20)
    }

    @Test func `any other has to be read`() async throws {
        let cache = try Cache()
        try await cache.store.pull(body, entityTag: "\"v1\"")
        #expect(try await confirm(body, in: cache, entityTag: "\"v1\"") == 20)
        #expect(try await confirm(body + " ", in: cache, entityTag: "\"v1\"") == nil)
        #expect(
            try await confirm(
                body.replacing("todo 7", with: "todo 8"), in: cache, entityTag: "\"v1\"")
                == nil)
        #expect(try await confirm(body, in: cache, entityTag: "\"v2\"") == nil)
        #expect(try await confirm(body, in: cache) == nil)
        #expect(
            try await confirm(body, in: cache, url: todosURL + "/", entityTag: "\"v1\"") == nil)
    }

    @Test func `what another program writes makes it unknown`() async throws {
        let cache = try Cache()
        try await cache.store.pull(body)
        try cache.script().execute(
            script: """
                UPDATE control SET applying = 'todos'; DELETE FROM s_todos WHERE server_id = '7';
                DELETE FROM todos WHERE server_id = '7'; UPDATE control SET applying = NULL
                """)
        #expect(try await confirm(body, in: cache) == nil)
        #expect(try await cache.store.pull(body).rows == 20)
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["20"])
        #expect(try await confirm(body, in: cache) == 20)
    }

    @Test func `what another program writes while it is taken makes it unknown`() async throws {
        let cache = try Cache()
        try await cache.store.pull(body)
        try cache.script().execute(script: "INSERT INTO todos(title) VALUES ('milk')")
        try await cache.store.pull(body)
        #expect(try await confirm(body, in: cache) == 20)
        try cache.script().execute(script: "DELETE FROM outbox")
        #expect(try await confirm(body, in: cache) == nil)
    }

    @Test func `sending makes it unknown`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(body)
        let (_, operation) = try await cache.store.create("milk", in: .queued)
        #expect(try await confirm(body, in: cache) == 20)
        #expect(try await cache.store.take([operation]).count == 1)
        #expect(try await confirm(body, in: cache) == nil)
    }

    @Test func `one with a skipped row is never known`() async throws {
        let cache = try Cache(.memory)
        let incomplete = "[{\"id\":1,\"title\":\"a\"},{}]"
        try await cache.store.pull(incomplete)
        #expect(try await confirm(incomplete, in: cache) == nil)
    }

    @Test func `one that failed leaves nothing known`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(body)
        await #expect(throws: StoreError.self) { try await cache.store.pull("[1") }
        #expect(try await confirm(body, in: cache) == nil)
    }

    @Test func `a confirmation confirms every row for deletes`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(body)
        try await cache.store.withConnection {
            try $0.execute(
                script: "INSERT INTO unconfirmed SELECT 'todos', id FROM \(EveryTodo.rows)")
        }
        #expect(try await confirm(body, in: cache) == 20)
        #expect(try await cache.rows("SELECT count(*) FROM unconfirmed") == ["0"])
    }
}
