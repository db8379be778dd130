import Declarations
import SQLite
import Store
import Testing

@Suite struct `the view sync_requests` {
    @Test(arguments: StorePlace.allCases)
    func `requests that wait are one`(place: StorePlace) async throws {
        let cache = try Cache(place)
        for list in ["todos", "todos", "all", "movies", "todos"] {
            try await cache.write(
                "INSERT INTO sync_requests (list) VALUES (?)", .text(list))
        }
        #expect(
            try await cache.rows("SELECT list FROM sync_requests")
                == ["todos", "all", "movies"])
        let taken = try #require(try await cache.store.takeRequests(again: false))
        #expect(taken.lists == [.movies, .todos])
        #expect(taken.acceptingRemovals.isEmpty)
        #expect(try await cache.store.takeRequests(again: false) == nil)
        // One that comes after the others were taken is a new one.
        try await cache.write("INSERT INTO sync_requests (list) VALUES ('todos')")
        try await cache.store.finish(taken)
        #expect(try await cache.rows("SELECT list FROM sync_requests") == ["todos"])
    }

    @Test func `what cannot be synced is refused`() async throws {
        let cache = try Cache()
        for value in [Value.null, .text("Todos"), .text(""), .integer(1), .blob(Array("all".utf8))]
        {
            for clause in ["", "OR IGNORE ", "OR REPLACE "] {
                try await cache.expectRefusal(
                    "a sync can be requested for a list that sync_status names, or for all",
                    of: "INSERT \(clause)INTO sync_requests (list) VALUES (?)", value)
            }
        }
        try await cache.write("INSERT INTO sync_requests (list) VALUES ('all')")
        try await cache.expectRefusal(
            "a sync request cannot be changed: insert a new one",
            of: "UPDATE OR IGNORE sync_requests SET list = 'todos'")
        try await cache.write("DELETE FROM sync_requests")
        #expect(try await cache.store.takeRequests(again: true) == nil)
    }

    @Test func `P14: an acceptance of removals counts for its own cycle alone`() async throws {
        let cache = try Cache()
        _ = try await cache.store.requestSync(of: .todos, acceptsRemovals: true)
        _ = try await cache.store.takeRequests(again: false)
        _ = try await cache.store.requestSync(of: .todos, acceptsRemovals: false)
        let second = try #require(try await cache.store.takeRequests(again: false))
        #expect(second.lists == [.todos] && second.acceptingRemovals == [])
        // Of a daemon that ended, both cycles are still to come.
        let again = try #require(try await cache.store.takeRequests(again: true))
        #expect(again.acceptingRemovals == [.todos])
    }

    @Test func `a request of a command is pending until it is finished`() async throws {
        let cache = try Cache()
        let request = try await cache.store.requestSync(of: nil, acceptsRemovals: true)
        let other = try await cache.store.requestSync(of: .todos, acceptsRemovals: false)
        #expect(request != other)
        #expect(try await cache.store.isPending(request))
        let taken = try #require(try await cache.store.takeRequests(again: false))
        #expect(taken.acceptingRemovals == [.movies, .todos])
        #expect(try await cache.store.isPending(request))
        // A daemon that ended before it answered: the next one takes them again.
        let again = try #require(try await cache.store.takeRequests(again: true))
        #expect(again == taken)
        try await cache.store.finish(again)
        #expect(try await !cache.store.isPending(request))
        #expect(try await !cache.store.isPending(other))
    }
}
