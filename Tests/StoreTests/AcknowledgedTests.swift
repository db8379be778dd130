import Declarations
import Rules
import Store
import Tables
import TestSupport
import Testing

/// An answer is a claim, and a list that began a minute later is a witness. Answers come at the
/// second 2, unless a test says otherwise: a list that began at 61 999 ms may be an echo, one at
/// 62 000 ms is none.
@Suite struct `what the server has acknowledged` {
    static let one = #"{"id":1,"title":"a","size":1}"#
    static let changed = #"{"id":1,"title":"b","size":1}"#
    static let new = #"{"id":2,"title":"n","size":2}"#

    let cache: Cache
    let notes: ListTable

    /// A list with one row of the server, whose id is 1 here and there.
    init() async throws {
        cache = try Cache()
        notes = try await cache.store.table(
            of: DeclaredLists.list(
                "notes",
                """
                "id": "$.id", "create": true, "update": true, "delete": true,
                "columns": {"title": {"text": "$.title", "write": "both", "required": true},
                    "size": {"integer": "$.size", "write": "both"}}
                """))
        try await cache.store.bind(notes.declaration.name, to: demo)
        try await show([Self.one], at: 500)
    }

    /// The whole list, which began at that moment.
    @discardableResult
    func show(_ rows: [String], at began: Int64) async throws -> Reconciled {
        try await cache.store.witness(
            "[\(rows.joined(separator: ","))]", of: notes, began: began)
    }

    /// Takes the newest operation that is queued.
    func take(at moment: Int64) async throws -> [OperationSequence] {
        let queued = try await cache.store.outbox().last { $0.state == "queued" }
        let operation = try #require(queued?.sequence)
        return try await cache.store.exchange(
            of: notes, settling: [], taking: [operation], for: demo, now: boot(moment),
            settlingTime: .seconds(20)
        ).outgoing.map(\.sequence)
    }

    /// What a program writes, under way to the server.
    func send(_ sql: String, at moment: Int64 = 1000) async throws -> OperationSequence {
        try await cache.write(sql)
        return try #require(try await take(at: moment).first)
    }

    func settle(
        _ operation: OperationSequence, _ body: String, status: Int = 200, named: String? = nil,
        at moment: Int64 = 2000
    ) async throws {
        let answer = Settlement.answered(body, status: status, named: named, at: moment)
        let settled = try await cache.store.exchange(
            of: notes, settling: [(operation, answer)], taking: [], for: demo, now: boot(moment),
            settlingTime: .seconds(20)
        ).settled
        #expect(settled == [.done] || settled == [.acknowledged])
    }

    func rows() async throws -> [String] {
        try await cache.rows("SELECT title, size, _state, _server_id FROM notes ORDER BY _id")
    }

    func lines() async throws -> [String] {
        try await cache.rows("SELECT row_id, field, why, mine, theirs FROM conflicts")
    }

    func outbox() async throws -> [String] {
        try await cache.rows("SELECT op, state FROM outbox ORDER BY seq")
    }

    func fields() async throws -> [String] {
        try await cache.rows("SELECT fields FROM trail WHERE row_id = 1")
    }

    // MARK: Updates

    @Test func `an update leaves its trail in the commit that ends it`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        #expect(try await fields() == [])
        try await settle(update, Self.changed)
        #expect(try await fields() == [#"{"title":[2000,1,"b","b",["a"]]}"#])
        #expect(
            try await cache.rows("SELECT answered_ms, is_new, is_claim, holds_edits FROM trail")
                == ["2000|0|0|0"])
        #expect(try await rows() == ["b|1|synced|1"])
        #expect(try await outbox() == [])
        // A list that shows it ends the trail, if it is old enough to decide.
        try await show([Self.changed], at: 61_999)
        #expect(try await fields().count == 1)
        try await show([Self.changed], at: 62_000)
        #expect(try await fields() == [])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `a column that the answer leaves out stays`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, #"{"id":1,"title":"b"}"#)
        #expect(try await rows() == ["b|1|synced|1"])
        #expect(try await cache.rows("SELECT document FROM s_notes") == [Self.changed])
        try await cache.expectLawful()
    }

    @Test(arguments: [Self.one, #"{"ok":true}"#, ""])
    func `an answer without what was sent leaves it to the lists, and one decides: not taken`(
        answer: String
    ) async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, answer)
        #expect(try await rows() == ["b|1|acknowledged|1"])
        #expect(try await outbox() == ["update|acknowledged"])
        #expect(try await fields() == [#"{"title":[2000,0,"b","b",["a"]]}"#])
        try await show([Self.one], at: 61_999)
        #expect(try await rows() == ["b|1|acknowledged|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
        try await show([Self.one], at: 62_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await lines() == ["1|title|not taken|b|a"])
        #expect(try await outbox() == [])
        #expect(try await fields() == [])
        try await cache.expectLawful()
        // A lag of more than a minute: the line goes by itself.
        try await show([Self.changed], at: 130_000)
        #expect(try await rows() == ["b|1|synced|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `one wrong list does not hide that an answer was untrue`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, Self.changed)
        try await show([Self.one], at: 30_000)
        try await show([], at: 70_000)
        #expect(try await rows() == [])
        try await show([Self.one], at: 71_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await lines() == ["1|title|not taken|b|a"])
        #expect(try await fields() == [])
        try await cache.expectLawful()
    }

    @Test func `nothing is remembered of a row that two lists agree is gone`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, Self.changed)
        try await show([], at: 70_000)
        #expect(try await fields().count == 1)
        try await show([], at: 140_000)
        #expect(try await fields() == [])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `any other value in the answer is the server's form, and an older one an echo`()
        async throws
    {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, #"{"id":1,"title":"B!","size":1}"#)
        #expect(try await rows() == ["B!|1|synced|1"])
        #expect(try await fields() == [#"{"title":[2000,1,"b","B!",["a","b"]]}"#])
        try await show([Self.one], at: 30_000)
        #expect(try await rows() == ["B!|1|synced|1"])
        try await show([#"{"id":1,"title":"B!","size":1}"#], at: 62_000)
        #expect(try await rows() == ["B!|1|synced|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `an echo hinders no edit, and the trail knows every older value`() async throws {
        let first = try await send("UPDATE notes SET title = 'b'")
        try await settle(first, #"{"ok":true}"#)
        try await cache.write("UPDATE notes SET title = 'c'")
        try await show([Self.one], at: 30_000)
        #expect(try await rows() == ["c|1|queued|1"])
        #expect(try await lines() == [])
        let second = try #require(try await take(at: 31_000).first)
        #expect(try await outbox() == ["update|sending"])
        try await settle(second, #"{"id":1,"title":"c","size":1}"#, at: 32_000)
        #expect(try await fields() == [#"{"title":[32000,1,"c","c",["a","b"]]}"#])
        for echo in [Self.one, Self.changed] { try await show([echo], at: 91_999) }
        #expect(try await rows() == ["c|1|synced|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `202 names nothing, and holds the next edit for a minute`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, Self.changed, status: 202)
        #expect(try await rows() == ["b|1|acknowledged|1"])
        #expect(try await cache.rows("SELECT holds_edits FROM trail") == ["1"])
        try await cache.write("UPDATE notes SET size = 5")
        #expect(try await take(at: 61_999) == [])
        #expect(try await outbox() == ["update|acknowledged", "update|queued"])
        #expect(try await take(at: 62_000).count == 1)
        try await cache.expectLawful()
    }

    @Test func `a list that shows what 202 was for lets the next edit go`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, "", status: 202)
        try await cache.write("UPDATE notes SET size = 5")
        try await show([Self.one], at: 9000)
        #expect(try await take(at: 10_000) == [])
        try await show([Self.changed], at: 11_000)
        #expect(try await outbox() == ["update|queued"])
        #expect(try await take(at: 12_000).count == 1)
        try await cache.expectLawful()
    }

    /// The answer to the second one shows the row, and that the first one has not come there.
    @Test func `what an answer has not shown is waited for after the next edit's answer, too`()
        async throws
    {
        let first = try await send("UPDATE notes SET title = 'b'")
        try await settle(first, Self.one)
        let second = try await send("UPDATE notes SET size = 5", at: 3000)
        let grown = #"{"id":1,"title":"a","size":5}"#
        try await settle(second, grown, at: 4000)
        #expect(try await rows() == ["b|5|acknowledged|1"])
        #expect(try await outbox() == ["update|acknowledged"])
        // It left a list with a filter, so that its read decides.
        try await show([], at: 64_000)
        #expect(try await rows() == ["b|5|acknowledged|1"])
        try await show([grown], at: 64_001)
        #expect(try await rows() == ["a|5|synced|1"])
        #expect(try await lines() == ["1|title|not taken|b|a"])
        try await cache.expectLawful()
    }

    /// An update whose answer was lost is not the one that the server has acknowledged before.
    @Test func `a lost update behind one that was acknowledged is decided, and sent again`()
        async throws
    {
        let first = try await send("UPDATE notes SET title = 'b'")
        try await settle(first, #"{"ok":true}"#)
        let second = try await send("UPDATE notes SET size = 5", at: 3000)
        _ = try await cache.store.exchange(
            of: notes, settling: [(second, .doubtful(wait(5), isOver: false))], taking: [],
            for: demo, now: boot(4000), settlingTime: .seconds(20))
        try await show([Self.one], at: 64_000)
        #expect(try await lines() == ["1|title|not taken|b|a"])
        #expect(try await rows() == ["a|5|queued|1"])
        #expect(try await outbox() == ["update|queued"])
        try await cache.expectLawful()
    }

    // MARK: Witnesses of several ages

    private func learn(_ document: String, at moment: Int64) async throws {
        _ = try await cache.store.learn(
            [ReadRow(row: 1, document: document)], of: notes, readAfter: boot(moment),
            settlingTime: .seconds(20))
    }

    @Test func `what a read has moved is shown by the next list, also if that is as before`()
        async throws
    {
        func confirmed() async throws -> Int64? {
            try await cache.store.confirm(
                notes, body: Array("[\(Self.changed)]".utf8), url: todosURL,
                validators: StoredValidators(entityTag: nil, lastModified: nil))
        }
        try await show([Self.changed], at: 10_000)
        #expect(try await confirmed() == 1)
        // It lags behind the list.
        try await learn(Self.one, at: 11_000)
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await confirmed() == nil)
        try await show([Self.changed], at: 12_000)
        #expect(try await rows() == ["b|1|synced|1"])
        try await learn(Self.changed, at: 13_000)
        #expect(try await confirmed() == 1)
    }

    /// A cache tells that its list is older than the answer, and goes on with it after the read.
    @Test func `a read beside an old list decides, and the same list changes nothing after it`()
        async throws
    {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, Self.changed)
        try await show([Self.one], at: 2000)
        try await learn(Self.changed, at: 62_000)
        try await show([Self.one], at: 2000)
        #expect(try await rows() == ["b|1|synced|1"])
        #expect(try await lines() == [])
        // The first witness begins the minute anew: the next list may lag behind it.
        try await show([Self.changed], at: 62_000)
        #expect(try await fields() != [])
        try await show([Self.changed], at: 122_000)
        #expect(try await fields() == [])
        try await cache.expectLawful()
    }

    /// The same of a row that is read because the list lacks it.
    @Test func `a read for a row that an old list lacks leaves what the next list needs`()
        async throws
    {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, Self.changed)
        var read = ReadRow(row: 1, document: Self.changed)
        read.shownAfter = boot(62_000)
        _ = try await cache.store.witness("[]", of: notes, beside: [read], began: 1000)
        try await show([Self.one], at: 2000)
        #expect(try await rows() == ["b|1|synced|1"])
        #expect(try await lines() == [])
        try await cache.expectLawful()
    }

    @Test func `what a read beside an old list shows not to be taken is told once`() async throws {
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, #"{"ok":true}"#)
        try await show([Self.one], at: 2000)
        try await learn(Self.one, at: 62_000)
        #expect(try await lines() == ["1|title|not taken|b|a"])
        for began: Int64 in [2000, 62_000] { try await show([Self.one], at: began) }
        #expect(try await rows() == ["a|1|synced|1"])
        #expect(try await lines() == ["1|title|not taken|b|a"])
        #expect(try await fields() == [])
        try await cache.expectLawful()
    }

    /// A read that lags, and an update that repeats what nobody has edited.
    @Test func `an older row with another's older value is known by its own version`() async throws
    {
        func row(_ title: String, _ size: Int, version: Int) -> String {
            #"{"id":1,"title":"\#(title)","size":\#(size),"v":\#(version)}"#
        }
        try await show([row("a", 1, version: 1)], at: 600)
        let update = try await send("UPDATE notes SET title = 'b'")
        try await settle(update, row("b", 1, version: 2))
        try await show([row("b", 5, version: 3)], at: 10_000)
        try await learn(row("a", 1, version: 1), at: 11_000)
        #expect(
            try await cache.rows("SELECT document FROM s_notes") == [row("b", 1, version: 1)])
        // An older value alone says nothing at all.
        try await show([row("b", 5, version: 3)], at: 12_000)
        try await learn(row("a", 5, version: 1), at: 13_000)
        #expect(
            try await cache.rows("SELECT document FROM s_notes") == [row("b", 5, version: 3)])
        try await cache.expectLawful()
    }
}
