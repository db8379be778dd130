import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

private func rows(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { #"{"id":\#($0),"title":"n\#($0)"}"# }
}

private func titles(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "n\($0)" } }

private let kinds: [(ReferenceList.Paging, String)] = [
    (.none, #""none""#), (.link, #""link""#), (.next, #"{"next": "$.next"}"#),
    (.cursor, #"{"cursor": "$.next_cursor", "as": "cursor"}"#),
    (.page, #"{"page": "page", "pages": "$.total_pages", "rows": "$.total_results"}"#),
    (.page, #"{"page": "page"}"#),
    (.offset, #"{"offset": "offset", "limit": ["limit", 3], "rows": "header X-Total-Count"}"#),
    (.offset, #"{"offset": "offset"}"#),
]

@Suite struct ListScenarioTests {
    @Test(arguments: kinds)
    func `a list in each kind of paging becomes a table, and follows the server`(
        paging: ReferenceList.Paging, pages: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...8), paging: paging, size: 3), pages: pages)
        let report = try await world.sync()
        #expect(report.state == .ok, "\(report)")
        #expect(report.rows == 8)
        #expect(try await world.rows() == titles(1...8))
        #expect(try await world.isComplete() == true)
        // Ids stay, places move, and a row of a complete list leaves at once.
        let before = try await world.rows("SELECT _id, title FROM notes WHERE title = 'n5'")
        world.change { $0.rows = rows(9...9) + rows(3...8) }
        try await world.sync()
        if ![#""none""#, "cursor"].contains(where: { pages.contains($0) }) {
            // One may have slipped between two pages, be the total the same.
            #expect(try await world.rows().contains("n1"))
            try await world.sync()
        }
        #expect(try await world.rows() == ["n9"] + titles(3...8))
        #expect(try await world.rows("SELECT _id, title FROM notes WHERE title = 'n5'") == before)
        world.change { $0.rows = [] }
        let emptied = try await world.sync()
        #expect(emptied.state == .held, "\(emptied)")
    }

    @Test(arguments: kinds.filter { $0.0 != .none })
    func `a page that brings no new row ends the list`(
        paging: ReferenceList.Paging, pages: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...8), paging: paging, size: 3, lie: .samePage), pages: pages)
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(try await world.rows() == titles(1...3))
        let answers = world.world.server.withServer { $0.declaredLists["notes"]?.answers }
        #expect(try #require(answers) <= 3)
    }

    @Test(arguments: [404, 410, 416])
    func `a list that becomes shorter while it is read is read anew by the next pull`(
        status: Int
    ) async throws {
        for (paging, pages) in kinds where paging != .none {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...8), paging: paging, size: 3), pages: pages)
            try await world.sync()
            world.change { $0.lie = .shrunk(status) }
            let report = try await world.sync()
            #expect(report.state == .failing, "\(report)")
            #expect(report.hint?.contains("shorter while it was read") == true, "\(report)")
            #expect(try await world.rows() == titles(1...8))
            world.change { list in
                list.rows = rows(1...6)
                list.lie = nil
            }
            #expect(try await world.sync().state == .ok)
        }
    }

    @Test(arguments: [ReferenceList.Lie.loop, .standstill])
    func `links that lead round in a circle end`(lie: ReferenceList.Lie) async throws {
        for (paging, pages) in kinds where [.link, .next, .cursor].contains(paging) {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...5), paging: paging, size: 2, lie: lie), pages: pages)
            #expect(try await world.sync().state == .ok)
            #expect(try await world.rows() == titles(1...(lie == .loop ? 5 : 2)))
        }
    }

    @Test(arguments: [
        "http://evil.example/lists/notes?page=2", "//evil.example/x", "https://127.0.0.1:8080/",
        "http://127.0.0.1:8081/lists/notes?page=2", "http://me@127.0.0.1:8080/", "ftp://127.0.0.1/",
    ])
    func `a link to another server is not followed, and gets no secret`(
        address: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(
                rows: rows(1...5), paging: .next, size: 2, lie: .foreignLink(address)),
            pages: #"{"next": "$.next"}"#)
        let report = try await world.sync()
        #expect(report.state != .ok)
        #expect(try await world.rows() == [])
        #expect(world.world.server.lines == ["GET /lists/notes"])
    }

    @Test(arguments: kinds.filter { $0.0 == .page || $0.0 == .offset })
    func `a total that is too large never makes a list more complete`(
        paging: ReferenceList.Paging, pages: String
    ) async throws {
        for extra in [1, 4] {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...6), paging: paging, size: 3), pages: pages)
            try await world.sync()
            world.change { list in
                list.rows = rows(1...5)
                list.lie = .total(extra)
            }
            let report = try await world.sync()
            #expect(report.state == .ok, "\(report)")
            #expect(try await world.rows() == titles(1...6), "\(report)")
        }
    }

    @Test func `a row that slips between two pages stays until the third list lacks it`()
        async throws
    {
        for (paging, pages) in kinds where [.link, .next, .page, .offset].contains(paging) {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...6), paging: paging, size: 2), pages: pages)
            try await world.sync()
            // The row is at the server all the while, as a doubled one beside it shows.
            world.change { list in
                list.rows = rows(1...3) + rows(5...6) + rows(2...2)
            }
            for _ in 0..<2 {
                try await world.sync()
                #expect(try await world.rows().contains("n4"), "\(pages)")
            }
            try await world.sync()
            #expect(try await !world.rows().contains("n4"), "\(pages)")
        }
    }

    @Test(arguments: kinds)
    func `an odd row is skipped and named, and its neighbours are taken`(
        paging: ReferenceList.Paging, pages: String
    ) async throws {
        for odd in ["5", "null", #"{"title":"x"}"#, #"{"id":[],"title":"x"}"#, #"{"id":4}"#] {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...6), paging: paging, size: 4, lie: .odd(3, odd)),
                pages: pages)
            let report = try await world.sync()
            #expect(report.skipped.count == 1)
            #expect(report.skipped.named.count == 1)
            #expect(try await world.rows() == titles(1...3) + titles(5...6))
            #expect(try await world.isComplete() == false)
        }
    }

    @Test func `an unchanged list is asked for by its tag, and writes nothing`() async throws {
        for (paging, pages) in kinds {
            let world = try await ListWorld(
                ReferenceList(rows: rows(1...7), paging: paging, size: 3), pages: pages)
            world.world.server.withServer { $0.behaviour.entityTags = true }
            try await world.sync()
            let before = try await world.rows("SELECT * FROM notes")
            let report = try await world.sync()
            #expect(report.state == .ok && report.rows == 7, "\(pages): \(report)")
            #expect(try await world.rows("SELECT * FROM notes") == before)
        }
    }

    @Test func `a new column is filled from the documents, without a request`() async throws {
        let list = [
            #"{"id":1,"title":"a","done":true,"n":1.5}"#, #"{"id":"x","title":"b","done":"no"}"#,
        ]
        let world = try await ListWorld(
            ReferenceList(rows: list, paging: .none, size: 9), pages: #""none""#)
        try await world.sync()
        let before = try await world.rows("SELECT _id, title, _server_id FROM notes")
        let asked = world.world.server.lines.count
        try await world.declare(
            pages: #""none""#,
            columns: #""title": "text $.title", "done": "boolean $.done", "n": "real $.n""#,
            more: #", "search": ["title"]"#)
        #expect(
            try await world.rows("SELECT title, done, n FROM notes ORDER BY _id")
                == ["a|1|1.5", "b|-|-"])
        #expect(try await world.rows("SELECT _id, title, _server_id FROM notes") == before)
        #expect(
            try await world.rows("SELECT rowid FROM notes_search WHERE notes_search MATCH 'b'")
                == ["2"])
        #expect(world.world.server.lines.count == asked)
        #expect(try await StoreInvariants.violations(in: world.world.store) == [])
        let report = try await world.sync()
        #expect(report.rows == 2, "\(report)")
    }

    @Test func `every write of a program is refused with a sentence`() async throws {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...2), paging: .none, size: 9), pages: #""none""#)
        try await world.sync()
        for sql in [
            "INSERT INTO notes (title) VALUES ('x')",
            "INSERT OR IGNORE INTO notes (_id, title) VALUES (1, 'x')",
            "INSERT OR REPLACE INTO notes (_id, title) VALUES (1, 'x')",
            "INSERT INTO notes (_id, title) VALUES (1, 'x') ON CONFLICT DO NOTHING",
            "UPDATE notes SET title = title", "UPDATE OR IGNORE notes SET _rank = 1",
            "DELETE FROM notes", "DELETE FROM notes WHERE _id = 1 RETURNING _id",
        ] {
            await #expect(
                throws: StoreError.refused(
                    "notes is read only: it shows what the server has"), "\(sql)"
            ) {
                try await world.world.store.withConnection { _ = try $0.all(sql) { _ in () } }
            }
        }
        #expect(try await world.rows() == titles(1...2))
    }
}
