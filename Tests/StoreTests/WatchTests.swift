import Declarations
import Host
import SQLite
import Store
import TestSupport
import Testing

/// How a store sees what others write.
@Suite struct WatchTests {
    private static let now = BootTime(boot: "b", milliseconds: 1000)

    private func look(
        _ cache: Cache, since mark: WriteMark?, writer: Bool = false, work: Bool = false
    ) async throws -> WriteSign {
        try await cache.store.look(
            for: WriteQuestion(since: mark, asksForWriter: writer, asksForWork: work),
            now: Self.now)
    }

    private func firstMark(_ cache: Cache) async throws -> WriteMark {
        try await look(cache, since: nil).mark
    }

    @Test func `a commit of another connection moves the version, ours does not`() async throws {
        let cache = try Cache()
        let before = try await cache.store.dataVersion()
        _ = try await cache.store.add("ours")
        try await cache.store.checkpointIfDue()
        #expect(try await cache.store.dataVersion() == before)
        try await cache.write("INSERT INTO todos(title) VALUES ('theirs')")
        #expect(try await cache.store.dataVersion() > before)
    }

    @Test func `a transaction of ours that is rolled back moves nothing`() async throws {
        let cache = try Cache()
        let mark = try await firstMark(cache)
        await #expect(throws: StoreError.self) { try await cache.store.addTodos(["good", ""]) }
        #expect(
            try await look(cache, since: mark)
                == WriteSign(
                    mark: mark, isWriterActive: nil, work: nil))
    }

    @Test func `another connection's insert is news, with something to send`() async throws {
        let cache = try Cache()
        let mark = try await firstMark(cache)
        try await cache.write("INSERT INTO todos(title) VALUES ('theirs')")
        let sign = try await look(cache, since: mark)
        #expect(sign.work == WaitingWork(hasRequests: false, sendable: [.todos]))
        #expect(sign.isWriterActive == false)
        #expect(try await look(cache, since: sign.mark).work == nil)
    }

    @Test func `our own commit is no news, and asks by itself whether somebody writes`()
        async throws
    {
        let cache = try Cache()
        let mark = try await firstMark(cache)
        try await cache.store.pull(list([(7, "theirs")]))
        let sign = try await look(cache, since: mark)
        #expect(sign.work == nil && sign.isWriterActive == false)
        #expect(try await look(cache, since: sign.mark).isWriterActive == nil)
    }

    @Test func `a writer is active until it commits or gives up`() async throws {
        let cache = try Cache()
        let script = try cache.script()
        let mark = try await firstMark(cache)
        for end in ["COMMIT", "ROLLBACK"] {
            try script.run("BEGIN IMMEDIATE")
            try script.run("INSERT INTO todos(title) VALUES ('theirs')")
            let sign = try await look(cache, since: mark, writer: true)
            #expect(sign.isWriterActive == true)
            #expect(await cache.store.isWriterActive())
            try script.run(end)
            #expect(await !cache.store.isWriterActive())
        }
    }

    @Test func `whoever looks for a writer leaves the lock to others`() async throws {
        let cache = try Cache()
        for number in 0..<100 {
            #expect(await !cache.store.isWriterActive())
            try cache.script().run("INSERT INTO todos(title) VALUES (?)", .text("\(number)"))
        }
    }

    @Test func `a request is work until it is taken`() async throws {
        let cache = try Cache()
        let mark = try await firstMark(cache)
        try await cache.write("INSERT INTO sync_requests(list) VALUES ('todos')")
        #expect(
            try await look(cache, since: mark).work
                == WaitingWork(hasRequests: true, sendable: []))
        _ = try await cache.store.takeRequests(again: false)
        #expect(try await look(cache, since: mark).work?.hasRequests == false)
    }

    @Test(arguments: [
        ("UPDATE operation SET state = 'rejected'", false),
        ("UPDATE operation SET wait_boot = 'b', wait_ms = 1001", false),
        ("UPDATE operation SET wait_boot = 'b', wait_ms = 1000", true),
        ("UPDATE operation SET wait_boot = 'another', wait_ms = 5000", true),
        ("INSERT INTO hold VALUES ('todos', 'b', 0)", false),
        ("INSERT INTO hold VALUES ('movies', 'b', 0)", true),
        (
            """
            UPDATE sync_state SET pause_boot = 'b', pause_ms = 1001, due_boot = 'b', due_ms = 1001
            WHERE list = 'todos'
            """, false
        ),
        (
            """
            UPDATE sync_state SET pause_boot = 'b', pause_ms = 1001, due_boot = 'b', due_ms = 1002
            WHERE list = 'todos'
            """, true
        ),
        (
            "UPDATE sync_state SET pause_boot = 'b', pause_ms = 1000, due_ms = 1, due_boot = 'b'",
            true
        ),
        ("DELETE FROM todos", false),
        ("UPDATE movies SET rank = 1", true),
    ])
    func `only what could be sent now is something to send`(sql: String, isSendable: Bool)
        async throws
    {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        try await cache.write(sql)
        #expect(
            try await look(cache, since: nil, work: true).work?.sendable
                == (isSendable ? [.todos] : []))
    }
}
