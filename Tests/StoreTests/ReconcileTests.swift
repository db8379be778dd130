import Rules
import Store
import TestSupport
import Testing

@Suite struct `reconciling a pull of the todos` {
    @Test(arguments: StorePlace.allCases)
    func `rows are added in their order, and kept whole`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let reconciled = try await cache.store.pull(
            #"""
            [{"id": 9, "title": "b", "done" : true, "extra": {"deep": [1, 2.50, null]}},
             {"title":"a","id":"x-1"}]
            """#)
        #expect(reconciled.rows == 2)
        #expect(reconciled.skipped == .none)
        #expect(
            try await cache.rows("SELECT id, title, server_id, state FROM todos ORDER BY id")
                == ["1|b|9|synced", "2|a|x-1|synced"])
        #expect(
            try await cache.rows("SELECT document FROM \(EveryTodo.rows) ORDER BY id")
                == [
                    #"{"id":9,"title":"b","done":true,"extra":{"deep":[1,2.50,null]}}"#,
                    #"{"title":"a","id":"x-1"}"#,
                ])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `D4: what vanished leaves, but not what has an operation`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list((1...6).map { ($0, "t\($0)") }))
        for (id, state) in [(2, OperationState.queued), (3, .inDoubt), (4, .rejected)] {
            _ = try await cache.store.delete(TodoID(rawValue: Int64(id)), in: state)
        }
        try await cache.store.pull(list([(1, "t1"), (6, "t6")]))
        #expect(
            try await cache.rows("SELECT id, title FROM \(EveryTodo.rows) ORDER BY id")
                == ["1|t1", "2|t2", "3|t3", "4|t4", "6|t6"])
        #expect(
            try await cache.store.outbox().map { "\($0.row) \($0.state)" }
                == ["2 queued", "3 in doubt", "4 rejected"])
        try await cache.expectLawful()
        try await cache.store.pull(list([(1, "t1"), (6, "t6")])) { pull in
            let operations = try pull.openOperations()
            #expect(operations.map(\.state) == [.queued, .inDoubt, .rejected])
            #expect(operations.map(\.isRowShown) == [false, false, false])
            for operation in operations { try pull.end(operation) }
        }
        #expect(
            try await cache.rows("SELECT id, title FROM \(EveryTodo.rows)") == ["1|t1", "6|t6"])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test func `D4: the first pull that does not show a row is remembered until one does`()
        async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "a"), (2, "b")]))
        _ = try await cache.store.delete(TodoID(rawValue: 1), in: .queued)
        try await cache.store.pull(list([(2, "b")])) { pull in
            for operation in try pull.openOperations() {
                try pull.note(operation, missedSince: boot(7))
            }
        }
        for body in [list([(2, "b")]), list([(1, "a"), (2, "b")])] {
            try await cache.store.pull(body) { pull in
                let missed = try pull.openOperations().map(\.missedSince)
                #expect(missed == [boot(7)])
            }
        }
        try await cache.store.pull(list([(1, "a"), (2, "b")])) { pull in
            let operation = try #require(try pull.openOperations().first)
            #expect(operation.isRowShown)
            try pull.note(operation, missedSince: nil)
            #expect(try pull.openOperations() == [])
        }
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `an id with another title is another todo`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "milk"), (2, "bread")]))
        _ = try await cache.store.delete(TodoID(rawValue: 1), in: .inDoubt)
        try await cache.store.pull(list([(1, "eggs"), (2, "Bread")]))
        #expect(
            try await cache.rows("SELECT id, title, server_id, state FROM todos")
                == ["3|eggs|1|synced", "4|Bread|2|synced"])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test func `a title is compared byte for byte`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "caf\u{e9}")]))
        try await cache.store.pull(list([(1, "cafe\u{301}")]))
        #expect(try await cache.rows("SELECT id, hex(title) FROM todos") == ["2|63616665CC81"])
    }

    @Test(arguments: StorePlace.allCases)
    func `a pull with a skipped row removes nothing but reused ids`(place: StorePlace) async throws
    {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "a"), (2, "b"), (3, "c")]), entityTag: "\"v1\"")
        let reconciled = try await cache.store.pull(
            #"[{"id":1,"title":"a"},{"id":2,"title":"new"},{"id":null,"title":"c"}]"#,
            entityTag: "\"v2\"")
        #expect(reconciled.skipped.count == 1)
        #expect(try await cache.rows("SELECT id, title FROM todos") == ["1|a", "3|c", "4|new"])
        // What it did not show, no delete is sent for; nor is it asked whether it changed.
        let hidden = try await cache.store.delete(TodoID(rawValue: 3), in: .queued)
        let shown = try await cache.store.delete(TodoID(rawValue: 1), in: .queued)
        #expect(try await cache.store.take([hidden, shown]).map(\.sequence) == [shown])
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                == nil)
        try await cache.expectLawful()
    }

    @Test func `the next whole pull confirms what was hidden`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "a")]))
        try await cache.store.pull(#"[{"id":true,"title":"a"},{"id":2,"title":null}]"#)
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .queued)
        #expect(try await cache.store.take([delete]).isEmpty)
        try await cache.store.pull(list([(1, "a")]))
        let taken = try await cache.store.take([delete])
        #expect(taken.map(\.serverID) == ["1"])
        #expect(taken.map(\.values) == [["title": "\"a\""]])
    }

    @Test(arguments: StorePlace.allCases)
    func `a create in doubt adopts a row and stays the same todo`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, operation) = try await cache.store.create("milk ", in: .inDoubt)
        try await cache.store.pull(list([(5, "milk")])) { pull in
            let doubts = try pull.openOperations()
            #expect(doubts.map(\.sequence) == [operation])
            #expect(doubts.map(\.values) == [["milk "]])
            #expect(doubts.map(\.sentAt) == [boot(1000)])
            #expect(try pull.unownedRows() == [UnownedRow(serverID: "5", values: ["milk"])])
            try pull.adopt("5", for: doubts[0], shownAfter: boot(1000))
            #expect(try pull.unownedRows() == [])
        }
        #expect(
            try await cache.rows("SELECT id, title, state, server_id FROM todos")
                == ["\(todo)|milk|synced|5"])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `an adopted todo that was deleted meanwhile has its delete left`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: .inDoubt)
        try await cache.store.removeTodos([todo])
        try await cache.store.pull(list([(5, "milk")])) { pull in
            let doubt = try #require(try pull.openOperations().first)
            try pull.adopt("5", for: doubt, shownAfter: boot(1000))
        }
        let left = try #require(try await cache.store.outbox().first)
        #expect(left.kind == "delete")
        // The pull has shown the row, so that the same cycle may delete it.
        #expect(try await cache.store.take([left.sequence]).map(\.serverID) == ["5"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `what did not arrive is queued as if never sent`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (_, create) = try await cache.store.create("milk", in: .inDoubt)
        try await cache.store.pull(list([(1, "bread")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 2), in: .inDoubt)
        try await cache.store.pull(list([(1, "bread")])) { pull in
            for doubt in try pull.openOperations() { try pull.requeue(doubt) }
        }
        #expect(
            try await cache.rows("SELECT seq, state FROM outbox")
                == ["\(create)|queued", "\(delete)|queued"])
        let waiting = try await cache.store.foldWaitingOperations(into: [WaitingOperation]()) {
            $0.append($1)
        }
        #expect(waiting.map(\.firstSentAt) == [nil, nil])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `a create that did not arrive and is not wanted is gone`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: .inDoubt)
        try await cache.store.removeTodos([todo])
        try await cache.store.pull("[]") { pull in
            for doubt in try pull.openOperations() { try pull.requeue(doubt) }
        }
        #expect(
            try await cache.rows(
                "SELECT id FROM \(EveryTodo.rows) UNION ALL SELECT seq FROM operation") == [])
        try await cache.expectLawful()
    }

    @Test func `what was found sending is in doubt`() async throws {
        let cache = try Cache()
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        let again = try cache.reopened()
        let opening = try await again.openTodosCycle(url: todosURL, now: boot(1_000_000))
        #expect(!opening.isQueueSettled)
        #expect(
            try await cache.rows("SELECT seq, state, last_error FROM outbox")
                == ["\(operation)|in doubt|syncd stopped before the answer"])
        try await cache.expectLawful()
    }

    @Test func `the opening tells what the queue holds`() async throws {
        let cache = try Cache()
        func facts() async throws -> [Bool] {
            let opening = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
            return [opening.isQueueSettled, opening.needsList]
        }
        #expect(try await facts() == [true, false])
        _ = try await cache.store.create("a", in: .rejected)
        #expect(try await facts() == [true, false])
        _ = try await cache.store.create("b", in: .queued)
        #expect(try await facts() == [false, false])
        try await cache.store.pull(list([(1, "c")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 3), in: .queued)
        #expect(try await facts() == [false, true])
        _ = try await cache.store.take([delete])
        #expect(try await facts() == [false, false])
    }

    @Test(arguments: StorePlace.allCases)
    func `validators are kept by a whole pull and dropped by an intent`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "a")]), entityTag: "\"v1\"")
        let kept = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
            .validators
        #expect(kept == StoredValidators(entityTag: "\"v1\"", lastModified: nil))
        #expect(
            try await cache.store.openTodosCycle(
                url: todosURL + "/other", now: boot(1_000_000)
            ).validators == nil)
        _ = try await cache.store.create("b", in: .sending)
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                == nil)
        try await cache.store.pull(list([(1, "a")]), entityTag: "\"v1\"")
        try await cache.store.pull(list([(1, "a")]))
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                == nil)
    }

    @Test(arguments: StorePlace.allCases)
    func `an error in the middle changes nothing`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "a"), (2, "b")]), entityTag: "\"v1\"")
        let before = try await cache.rows("SELECT * FROM \(EveryTodo.rows)")
        await #expect(throws: StoreError.busy) {
            try await cache.store.pull(list([(3, "c")])) { _ in throw StoreError.busy }
        }
        #expect(try await cache.rows("SELECT * FROM \(EveryTodo.rows)") == before)
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                != nil)
    }
}
