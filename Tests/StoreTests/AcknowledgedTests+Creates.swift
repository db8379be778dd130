import Declarations
import Rules
import Store
import Tables
import TestSupport
import Testing

extension `what the server has acknowledged` {
    // MARK: Creates

    func sendNew() async throws -> OperationSequence {
        try await send("INSERT INTO notes (title, size) VALUES ('n', 2)")
    }

    @Test func `a create without its row is adopted by any list that shows it`() async throws {
        let create = try await sendNew()
        try await settle(create, #"{"ok":true}"#, status: 201)
        #expect(try await rows() == ["a|1|synced|1", "n|2|acknowledged|-"])
        try await show([Self.one], at: 5000)
        #expect(try await outbox() == ["create|acknowledged"])
        try await show([Self.one, Self.new], at: 10_000)
        #expect(try await rows() == ["a|1|synced|1", "n|2|synced|2"])
        #expect(try await outbox() == [])
        try await show([Self.one, Self.new], at: 62_000)
        #expect(try await cache.rows("SELECT row_id FROM trail") == [])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test
    func `a create that two later lists do not show is rejected, and still never sent again`()
        async throws
    {
        let create = try await sendNew()
        try await settle(create, "")
        for began: Int64 in [61_999, 62_000, 121_999] {
            #expect(try await show([Self.one], at: began).decided == 0)
            #expect(try await outbox() == ["create|acknowledged"])
        }
        #expect(try await show([Self.one], at: 122_000).decided == 1)
        #expect(try await rows() == ["a|1|synced|1", "n|2|rejected|-"])
        #expect(
            try await cache.rows("SELECT op, state, last_error FROM outbox")
                == [
                    "create|rejected|the server said yes, and no list has shown the row since"
                ])
        try await cache.expectLawful()
        // It was decided: the next list has nothing to say of it.
        for began: Int64 in [190_000, 260_000] {
            #expect(try await show([Self.one], at: began).decided == 0)
        }
        #expect(try await outbox() == ["create|rejected"])
        // A lag of more than a minute.
        try await show([Self.one, Self.new], at: 270_000)
        #expect(try await rows() == ["a|1|synced|1", "n|2|synced|2"])
        #expect(try await outbox() == [])
        try await cache.expectLawful()
    }

    @Test func `a list that is not whole rejects no create`() async throws {
        let create = try await sendNew()
        try await settle(create, "")
        for began: Int64 in [62_000, 122_000] {
            try await show([Self.one, #"{"id":null,"title":"n"}"#], at: began)
        }
        #expect(try await outbox() == ["create|acknowledged"])
        try await cache.expectLawful()
    }

    @Test func `a create that was refused in a success is the row that a list shows all the same`()
        async throws
    {
        let create = try await sendNew()
        let refusal = Settlement.answered(#"{"ok":false}"#, refusal: wait(5, "no colour"))
        let settled = try await cache.store.exchange(
            of: notes, settling: [(create, refusal)], taking: [], for: demo, now: boot(2000),
            settlingTime: .seconds(20)
        ).settled
        #expect(settled == [.rejected])
        for began: Int64 in [62_000, 122_000] { try await show([Self.one], at: began) }
        // Not a word but the server's.
        #expect(try await cache.rows("SELECT last_error FROM outbox") == ["no colour"])
        try await show([Self.one, Self.new], at: 130_000)
        #expect(try await rows() == ["a|1|synced|1", "n|2|synced|2"])
        #expect(try await outbox() == [])
        try await cache.expectLawful()
    }

    /// Another client has changed it, and a filter hides it since.
    @Test func `a new row with an edit stays while a read shows it beside two lists`() async throws
    {
        let create = try await sendNew()
        try await settle(create, Self.new, status: 201)
        try await show([Self.one], at: 62_000)
        try await cache.write("UPDATE notes SET size = 3 WHERE title = 'n'")
        for began: Int64 in [122_000, 182_000] {
            _ = try await cache.store.witness(
                "[\(Self.one)]", of: notes, beside: [ReadRow(row: 2, document: Self.new)],
                began: began)
            #expect(try await rows() == ["a|1|synced|1", "n|3|queued|2"])
            #expect(try await lines() == [])
        }
        try await cache.expectLawful()
    }

    /// The first request had taken effect after all, with what the row was then.
    @Test(arguments: [1, 2])
    func `another value in the row of a create that was sent twice is told`(
        attempts: Int
    ) async throws {
        let create = try await sendNew()
        try await cache.execute("UPDATE operation SET attempts = \(attempts)")
        let doubt = wait(5, "no answer in time")
        _ = try await cache.store.exchange(
            of: notes, settling: [(create, .doubtful(doubt, isOver: false))], taking: [], for: demo,
            now: boot(2000), settlingTime: .seconds(20))
        try await show([Self.one, #"{"id":2,"title":"n","size":7}"#], at: 62_000)
        #expect(try await rows() == ["a|1|synced|1", "n|7|synced|2"])
        #expect(try await lines() == (attempts == 1 ? [] : ["2|size|not taken|2|7"]))
        try await cache.expectLawful()
    }

    /// A cache has kept the list from before the create, and the row was read beside it.
    @Test func `a read beside an old list shows what another client has written since`()
        async throws
    {
        let create = try await sendNew()
        try await settle(create, "", status: 201, named: "2")
        try await cache.write("UPDATE notes SET size = 3 WHERE title = 'n'")
        var read = ReadRow(row: 2, document: #"{"id":2,"title":"n","size":9}"#)
        read.shownAfter = boot(70_000)
        _ = try await cache.store.witness(
            "[\(Self.one)]", of: notes, beside: [read], began: 1000)
        #expect(try await rows() == ["a|1|synced|1", "n|9|synced|2"])
        #expect(try await lines() == ["2|size|edited|3|9"])
        try await cache.expectLawful()
    }

    @Test func `a new row survives echoes, and two later lists let it leave with a line`()
        async throws
    {
        let create = try await sendNew()
        try await settle(create, Self.new, status: 201)
        let both = ["a|1|synced|1", "n|2|synced|2"]
        // The second one that counts comes a minute after the first.
        for began: Int64 in [30_000, 61_999, 62_000, 121_999] {
            try await show([Self.one], at: began)
            #expect(try await rows() == both)
            #expect(try await lines() == [])
            try await cache.expectLawful()
        }
        try await show([Self.one], at: 122_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(
            try await cache.rows(
                "SELECT row_id, field, why, mine ->> 'id', mine ->> 'title', theirs FROM conflicts")
                == ["2|-|not taken|2|n|-"])
        #expect(try await cache.rows("SELECT row_id FROM trail") == [])
        try await cache.expectLawful()
    }

    @Test func `a list that shows a new row makes its absence count anew`() async throws {
        let create = try await sendNew()
        try await settle(create, Self.new, status: 201)
        try await show([Self.one], at: 62_000)
        try await show([Self.one, Self.new], at: 70_000)
        #expect(try await cache.rows("SELECT row_id FROM trail") == [])
        // From now on it is a row as any other.
        try await show([Self.one], at: 80_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `a new row whose answer shows a part of it leaves with a line, too`() async throws {
        let create = try await sendNew()
        try await settle(create, #"{"id":2,"title":"n"}"#, status: 201)
        #expect(try await rows() == ["a|1|synced|1", "n|2|acknowledged|2"])
        #expect(try await outbox() == ["update|acknowledged"])
        for began: Int64 in [62_000, 122_000] { try await show([Self.one], at: began) }
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(
            try await cache.rows("SELECT row_id, why, mine ->> 'size' FROM conflicts")
                == ["2|not taken|2"])
        try await cache.expectLawful()
    }

    @Test func `a column of a new row that the server leaves empty was not taken`() async throws {
        let create = try await sendNew()
        try await settle(create, #"{"id":2,"title":"n","size":0}"#, status: 201)
        #expect(try await rows().last == "n|2|acknowledged|2")
        let empty = #"{"id":2,"title":"n","size":0}"#
        try await show([Self.one, empty], at: 61_999)
        #expect(try await rows().last == "n|2|acknowledged|2")
        try await show([Self.one, empty], at: 62_000)
        #expect(try await rows().last == "n|0|synced|2")
        #expect(try await lines() == ["2|size|not taken|2|0"])
        #expect(try await outbox() == [])
        try await cache.expectLawful()
    }

    @Test func `an id that a header names binds the row, and a list ends the operation`()
        async throws
    {
        let create = try await sendNew()
        try await settle(create, "", status: 201, named: "2")
        #expect(try await rows() == ["a|1|synced|1", "n|2|acknowledged|2"])
        #expect(try await cache.rows("SELECT is_new, is_claim FROM trail") == ["1|1"])
        #expect(try await outbox() == ["update|acknowledged"])
        try await show([Self.one, Self.new], at: 10_000)
        #expect(try await rows() == ["a|1|synced|1", "n|2|synced|2"])
        #expect(try await outbox() == [])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test
    func `what is edited while a create is under way is sent, though its answer is an id alone`()
        async throws
    {
        let create = try await sendNew()
        try await cache.write("UPDATE notes SET size = 7 WHERE title = 'n'")
        try await settle(create, "", status: 201, named: "2")
        #expect(try await outbox() == ["update|acknowledged", "update|queued"])
        try await show([Self.one, Self.new], at: 10_000)
        #expect(try await rows() == ["a|1|synced|1", "n|7|queued|2"])
        #expect(try await outbox() == ["update|queued"])
        try await cache.expectLawful()
    }

    @Test func `a row that was only claimed is a rejected create again`() async throws {
        let create = try await sendNew()
        try await settle(create, "", status: 201, named: "2")
        for began: Int64 in [61_999, 62_000] { try await show([Self.one], at: began) }
        #expect(try await rows() == ["a|1|synced|1", "n|2|acknowledged|2"])
        try await show([Self.one], at: 122_000)
        #expect(try await rows() == ["a|1|synced|1", "n|2|rejected|-"])
        #expect(try await outbox() == ["create|rejected"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `what was edited under a new row that leaves is in its line`() async throws {
        let create = try await sendNew()
        try await settle(create, Self.new, status: 201)
        try await cache.write("UPDATE notes SET size = 7 WHERE title = 'n'")
        for began: Int64 in [62_000, 122_000] { try await show([Self.one], at: began) }
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(
            try await cache.rows(
                "SELECT mine ->> 'size' FROM conflicts WHERE why = 'not taken' AND field IS NULL")
                == ["7"])
        #expect(try await outbox() == [])
        try await cache.expectLawful()
    }
}
