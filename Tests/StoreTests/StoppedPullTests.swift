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

    /// Stops the pulls of `store` when it asks for the third time.
    private func stop(_ store: CacheStore) {
        let asked = Mutex(0)
        store.stopPulls {
            asked.withLock { count in
                count += 1
                return count > 2
            }
        }
    }

    @Test func `S7: one that is being read is given up in the middle of it`() async throws {
        let cache = try Cache()
        stop(cache.store)
        await #expect(throws: StoreError.stopped) { try await cache.store.pull(list(Self.rows)) }
        #expect(try await cache.rows("SELECT count(*) FROM pulled_todos") == ["0"])
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["0"])
    }

    @Test(arguments: ["{}", #"{"id":1,"title":""}"#, "null"])
    func `S7: a flood of tiny rows is given up in the middle of it`(row: String) async throws {
        let cache = try Cache()
        stop(cache.store)
        let body = "[" + Array(repeating: row, count: 100_000).joined(separator: ",") + "]"
        await #expect(throws: StoreError.stopped) { try await cache.store.pull(body) }
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
