import Declarations
import Rules
import Store
import TestSupport
import Testing

@Suite struct `a held pull of the todos` {
    @Test(arguments: StorePlace.allCases)
    func `a held pull changes nothing and remembers its rows`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list((1...10).map { ($0, "t\($0)") }), entityTag: "\"v1\"")
        _ = try await cache.store.delete(TodoID(rawValue: 10), in: .queued)
        _ = try await cache.store.delete(TodoID(rawValue: 9), in: .rejected)
        let before = try await cache.rows("SELECT * FROM \(EveryTodo.rows)")
        let held = try await cache.store.reconcileTodos(
            body: Array(list([(1, "t1"), (2, "other")]).utf8), url: todosURL,
            validators: StoredValidators(entityTag: "\"v2\"", lastModified: nil), now: noon
        ) { staged in
            let pull = staged.judged()
            // 10 is about to be deleted anyway, 9 is not; 2 is another todo now.
            #expect(try pull.hold.removals() == RemovalCount(counted: 9, missing: 8))
            #expect(try pull.hold.since() == nil)
            try pull.hold.remember(since: boot(7))
            return pull.reconciled(isHeld: true)
        }
        #expect(held.isHeld)
        #expect(try await cache.rows("SELECT * FROM \(EveryTodo.rows)") == before)
        #expect(try await cache.store.memory(of: .todos).heldSince == boot(7))
        // The intent of the rejected delete dropped the first version; the second is not kept.
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                == nil)
        try await cache.expectLawful()
        try await cache.store.pull(list([(1, "t1"), (2, "t2")])) { pull in
            #expect(try pull.hold.since() == boot(7))
            // Asked after the vanished rows left: but for 9, which has an operation.
            #expect(try pull.hold.removalsHeldBefore() == 1)
            try pull.hold.forget()
        }
        #expect(try await cache.store.memory(of: .todos).heldSince == nil)
        try await cache.expectLawful()
    }

    @Test func `of a hold only rows count that are missing again`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list((1...10).map { ($0, "t\($0)") }))
        for (shown, both) in [(1...3, 7), (2...8, 2)] {
            let body = list(shown.map { ($0, "t\($0)") })
            _ = try await cache.store.reconcileTodos(
                body: Array(body.utf8), url: todosURL,
                validators: StoredValidators(entityTag: nil, lastModified: nil), now: noon
            ) { staged in
                let pull = staged.judged()
                if both == 7 { try pull.hold.remember(since: boot(1)) }
                #expect(try pull.hold.removalsHeldBefore() == Int64(both))
                return pull.reconciled(isHeld: true)
            }
        }
    }
}
