import Rules
import SQLite
import Store
import Synchronization
import Testing

@Suite struct `a pull of a process that ends` {
    private static let rows = (1...20_000).map { ($0, "todo \($0)") }

    @Test func `S7: a long one is given up and changes nothing, a short one is taken`()
        async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "before")]))
        cache.store.stopPulls()
        await #expect(throws: StoreError.stopped) {
            try await cache.store.pull(list(Self.rows))
        }
        await #expect(throws: StoreError.stopped) {
            try await cache.store.stage(envelope(movies(1...20_000)), page: 1)
        }
        try await cache.store.pull(list([(1, "before"), (2, "short")]))
        // What was sent is settled all the same.
        _ = try await cache.store.create("milk", in: .rejected)
        #expect(try await cache.rows("SELECT title FROM todos") == ["before", "short", "milk"])
        try await cache.expectLawful()
    }

    @Test func `S7: one that is being read is given up in the middle of it`() async throws {
        let cache = try Cache()
        let store = cache.store
        let body = list(Self.rows)
        // The first sign of work is the reading: it comes before the lock.
        await #expect(throws: StoreError.stopped) {
            try await store.withConnection { connection in
                try connection.telling {
                    store.stopPulls()
                } during: {
                    try store.assumeIsolated { _ = try $0.pull(body) }
                }
            }
        }
        #expect(try await cache.rows("SELECT count(*) FROM pulled_todos") == ["0"])
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["0"])
    }

    @Test func `S7: whoever cannot tell while it works is asked in the middle of it`() async throws
    {
        let cache = try Cache()
        let asked = Mutex(0)
        cache.store.stopPulls {
            asked.withLock { count in
                count += 1
                return count > 2
            }
        }
        await #expect(throws: StoreError.stopped) { try await cache.store.pull(list(Self.rows)) }
        #expect(asked.withLock { $0 } > 2)
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["0"])
    }

    @Test(arguments: ["{}", #"{"id":1,"title":""}"#, "null"])
    func `S7: a flood of tiny rows is given up in the middle of it`(row: String) async throws {
        let cache = try Cache()
        let store = cache.store
        let body = "[" + Array(repeating: row, count: 100_000).joined(separator: ",") + "]"
        await #expect(throws: StoreError.stopped) {
            try await store.withConnection { connection in
                try connection.telling {
                    store.stopPulls()
                } during: {
                    try store.assumeIsolated { _ = try $0.pull(body) }
                }
            }
        }
        #expect(try await cache.rows("SELECT count(*) FROM pulled_todos") == ["0"])
    }

    @Test func `S7: one that is being written commits no half`() async throws {
        let cache = try Cache()
        let store = cache.store
        await #expect(throws: StoreError.stopped) {
            try await store.pull(list(Self.rows)) { _ in store.stopPulls() }
        }
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["0"])
        try await cache.expectLawful()
    }
}
