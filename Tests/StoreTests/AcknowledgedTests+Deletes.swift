import Declarations
import Rules
import Store
import Tables
import TestSupport
import Testing

/// Deletes.
extension `what the server has acknowledged` {
    private func sendDelete() async throws {
        let delete = try await send("DELETE FROM notes")
        try await settle(delete, Self.one)
    }

    private func hidden() async throws -> [String] {
        try await cache.rows("SELECT id FROM d_notes")
    }

    @Test func `a delete hides its row through an echo, until a whole list lacks it`() async throws
    {
        try await sendDelete()
        for began: Int64 in [30_000, 61_999] { try await show([Self.one], at: began) }
        // Nor does one decide that is too early, or that can have it in a row that cannot be read.
        try await show([], at: 61_999)
        try await show([Self.new, #"{"id":null,"title":"x"}"#], at: 62_000)
        #expect(try await rows() == ["n|2|synced|2"])
        #expect(try await hidden() == ["1"])
        #expect(
            try await cache.rows("SELECT kind, state FROM operation") == ["delete|acknowledged"])
        try await cache.expectLawful()
        try await show([Self.new], at: 62_000)
        #expect(try await hidden() == [])
        #expect(try await cache.rows("SELECT server_id FROM s_notes") == ["2"])
        #expect(try await cache.rows("SELECT seq FROM operation") == [])
        #expect(try await lines() == [])
        #expect(
            try await cache.rows("SELECT change FROM changes WHERE list = 'outbox'")
                == ["added", "changed", "removed"])
        try await cache.expectLawful()
    }

    @Test func `a delete that was not done brings its row back, with a line`() async throws {
        try await sendDelete()
        try await show([Self.one], at: 62_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await hidden() == [])
        #expect(try await lines() == ["1|-|not taken|-|-"])
        #expect(try await cache.rows("SELECT seq FROM operation") == [])
        #expect(
            try await cache.rows("SELECT change FROM changes WHERE list = 'notes'")
                == ["added", "removed", "added"])
        #expect(
            try await cache.rows("SELECT change FROM changes WHERE list = 'outbox'")
                == ["added", "changed", "removed"])
        try await cache.expectLawful()
        // A lag of more than a minute: the line goes with the row.
        try await show([], at: 130_000)
        #expect(try await rows() == [])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    /// The server refused it, and did it all the same: its id may be another row's by now.
    @Test func `an edit beneath a delete that was refused in a success waits for a list`()
        async throws
    {
        try await cache.write("UPDATE notes SET size = 3")
        try await cache.write("DELETE FROM notes")
        let delete = try #require(try await take(at: 1000).first)
        let refusal = Settlement.answered(#"{"ok":false}"#, refusal: wait(5, "not now"))
        let settled = try await cache.store.exchange(
            of: notes, settling: [(delete, refusal)], taking: [], for: demo, now: boot(2000),
            settlingTime: .seconds(20)
        ).settled
        #expect(settled == [.rejected])
        #expect(try await outbox() == ["update|queued", "delete|rejected"])
        #expect(try await takeUpdate() == [])
        try await show([Self.one], at: 10_000)
        #expect(try await takeUpdate().count == 1)
        try await cache.expectLawful()
    }

    private func takeUpdate() async throws -> [OperationSequence] {
        let update = try await cache.store.outbox().first { $0.state == "queued" }
        return try await cache.store.exchange(
            of: notes, settling: [], taking: [try #require(update?.sequence)], for: demo,
            now: boot(12_000), settlingTime: .seconds(20)
        ).outgoing.map(\.sequence)
    }

    @Test func `the id of a row that is being deleted cannot be written`() async throws {
        try await sendDelete()
        await #expect(throws: (any Error).self) {
            try await cache.write("INSERT INTO notes (_id, title) VALUES (1, 'x')")
        }
        #expect(try await hidden() == ["1"])
        try await cache.expectLawful()
    }
}
