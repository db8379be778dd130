import Declarations
import ReferenceAPI
import Store
import SyncEngine
import Synchronization
import TestSupport
import Testing

/// L10: how far a pull is that takes long.
@Suite struct LongPullScenarioTests {
    private static let rows = (1...10).map { #"{"id":\#($0),"title":"note \#($0)"}"# }

    /// A pull of pages of two rows, each of which takes `seconds`: what it told, what `sync_status` said before each
    /// page came, and what it says at the end.
    private func pull(
        _ paging: ReferenceList.Paging, _ pages: String, seconds: Int64,
        after interrupted: PullProgress? = nil
    ) async throws -> (told: [PullProgress], shown: [PullProgress?], end: PullProgress?) {
        let world = try await ListWorld(
            ReferenceList(rows: Self.rows, paging: paging, size: 2), pages: pages)
        world.world.concurrency = 1
        if let interrupted {
            try await world.world.store.note(interrupted, of: .init(kept: "notes"))
            try await world.world.store.forgetPulls()
        }
        let shown = Mutex<[PullProgress?]>([])
        let (store, time) = (world.world.store, world.world.time)
        world.world.server.always(
            "GET /lists/notes",
            .after(
                {
                    let row = try? await store.status().first { $0.list == "notes" }
                    shown.withLock { $0.append(row?.progress) }
                    time.advance(by: .seconds(seconds))
                }, .works))
        let told = Mutex<[PullProgress]>([])
        let engine = try world.world.synchronizer(lists: [try #require(world.source)]) { step in
            if case .stillPulling(_, let progress) = step { told.withLock { $0.append(progress) } }
        }
        let report = try await world.world.run(
            .init(kept: "notes"), .scheduled, on: engine)
        #expect(report.hasPulled)
        let end = try await store.status().first { $0.list == "notes" }?.progress
        return (told.withLock { $0 }, shown.withLock { $0 }, end)
    }

    @Test func `a pull that takes minutes tells each minute how far it is`() async throws {
        let pull = try await pull(
            .offset,
            #"{"offset": "offset", "limit": ["limit", 2], "rows": "header X-Total-Count"}"#,
            seconds: 30)
        let told = [PullProgress(pages: 2, of: 5), PullProgress(pages: 4, of: 5)]
        #expect(pull.told == told)
        #expect(pull.shown == [nil, nil, told[0], told[0], told[1]])
        #expect(pull.end == nil)
        #expect(told[0].description == "pulled 2 of 5 pages")
    }

    @Test func `where nobody tells how many pages there are, those that came are counted`()
        async throws
    {
        let pull = try await pull(.link, #""link""#, seconds: 60)
        #expect(pull.told.map(\.pages) == [1, 2, 3, 4, 5])
        #expect(pull.told.first?.description == "pulled 1 page so far")
        #expect(pull.told.last?.description == "pulled 5 pages so far")
    }

    @Test func `how far a pull was whose process died is forgotten by the next one`() async throws {
        let pull = try await pull(
            .link, #""link""#, seconds: 11, after: PullProgress(pages: 3, of: 9))
        #expect(pull.shown == Array(repeating: nil, count: 5))
        #expect(pull.end == nil)
    }

    @Test(arguments: ["", #", "create": {}, "delete": {}"#])
    func `N4: rows that keep the cache at work stop their list, and no other one`(
        more: String
    ) async throws {
        let flood = Array(repeating: #"{"id":1,"title":"a"}"#, count: 30_000)
        let column = #""title": {"text": "$.title"\#(more.isEmpty ? "" : #", "write": "create""#)}"#
        let world = try await ListWorld(
            ReferenceList(rows: flood, paging: .none, size: 50_000), pages: #""none""#,
            columns: column, more: more, longestPull: .zero)
        let report = try await world.sync()
        #expect(report.state == .failing)
        #expect(
            report.error == "the rows of notes kept the cache at work for more than 0 s",
            "\(report)")
        try await world.world.add("milk")
        try await world.world.sync()
        #expect(try await world.world.store.todos(search: nil).map(\.title) == ["milk"])
        #expect(world.world.count("POST /todos") == 1)
        // A short list is taken as ever.
        world.change { $0.rows = [#"{"id":1,"title":"a"}"#] }
        world.world.time.advance(by: .seconds(3600))
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows("SELECT title FROM notes") == ["a"])
    }

    @Test func `a pull of less than a minute writes nothing`() async throws {
        let pull = try await pull(.link, #""link""#, seconds: 11)
        #expect(pull.told == [])
        #expect(pull.shown.allSatisfy { $0 == nil })
    }
}
