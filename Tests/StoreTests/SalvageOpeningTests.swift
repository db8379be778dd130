import Declarations
import Glibc
import Migrations
import Recovery
import SQLite
import Store
import Testing

/// A look for damage at a cache that somebody is making, or was killed while making.
@Suite struct `a cache that is not finished` {
    private let directory: ScratchDirectory
    private var path: String { directory.database }

    init() throws {
        directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
    }

    private func salvage(isSuspicious: Bool) throws(StoreError) -> SalvageReport? {
        try Salvage(of: path, migrations: Migration.all, wall: noon, now: boot(9000))
            .run(isSuspicious: isSuspicious).report
    }

    @Test(arguments: [false, true])
    func `one without a table is not damaged, and can be opened`(isSuspicious: Bool) async throws {
        try directory.sqlite("PRAGMA journal_mode = WAL")
        #expect(try salvage(isSuspicious: isSuspicious) == nil)
        let store = try Cache.open(.file(path))
        #expect(try await store.add("milk") == TodoID(rawValue: 1))
    }

    /// SQLite finds pages that nothing leads to; only a file that bears our number was a cache.
    @Test(arguments: [(0, false), (0x7379_6e64, true)])
    func `one that has lost its schema is damaged, another program's is left alone`(
        number: Int, isOurs: Bool
    ) throws {
        try directory.sqlite(
            """
            PRAGMA application_id = \(number); CREATE TABLE a (b); INSERT INTO a VALUES (1);
            PRAGMA writable_schema = ON; DELETE FROM sqlite_schema
            """)
        let before = try directory.contents()
        #expect((try salvage(isSuspicious: true) != nil) == isOurs)
        #expect((try directory.contents() == before) == !isOurs)
    }

    /// The connection that found it sound.
    private func look() throws -> sending Connection? {
        let outcome = try Salvage(
            of: path, migrations: Migration.all, wall: noon, now: boot(9000)
        ).run(isSuspicious: true)
        return if case .sound(let connection) = outcome { connection } else { nil }
    }

    @Test func `a sound one is opened by the connection that looked`() async throws {
        _ = try Cache.open(.file(path))
        let examined = try #require(try look())
        let store = try Cache.open(.file(path), examined: examined)
        #expect(try await store.add("milk") == TodoID(rawValue: 1))
        try await store.requireSameFile()
        #expect(try await Cache.open(.file(path)).todos(search: nil).map(\.title) == ["milk"])
    }

    @Test func `one that is replaced after the look is another one`() async throws {
        _ = try Cache.open(.file(path))
        let examined = try #require(try look())
        rename(path, path + ".old")
        _ = try Cache.makeEmptyFile(path)
        let store = try Cache.open(.file(path), examined: examined)
        await #expect(throws: StoreError.replaced(path: path)) { try await store.requireSameFile() }
    }

    @Test(arguments: 1...Migration.all.count)
    func `one of any version is not damaged`(version: Int) async throws {
        _ = try Cache.open(.file(path), migrations: Array(Migration.all.prefix(version)))
        #expect(try salvage(isSuspicious: true) == nil)
        let store = try Cache.open(.file(path))
        #expect(try await store.add("milk") == TodoID(rawValue: 1))
    }

    /// As a daemon and a command that are started for the first time.
    @Test func `one that another process makes at the same time is not damaged`() async throws {
        for _ in 0..<50 {
            let directory = try ScratchDirectory()
            try Cache.makeEmptyFile(directory.database)
            let path = directory.database
            async let added = Cache.open(.file(path)).add("milk")
            for _ in 0..<4 {
                let report = try Salvage(
                    of: path, migrations: Migration.all, wall: noon, now: boot(9000)
                ).run(isSuspicious: true).report
                #expect(report == nil)
            }
            #expect(try await added == TodoID(rawValue: 1))
            #expect(try await Cache.open(.file(path)).todos(search: nil).map(\.title) == ["milk"])
        }
    }
}
