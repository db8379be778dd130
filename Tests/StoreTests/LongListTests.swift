import Rules
import SQLite
import Store
import Synchronization
import TestSupport
import Testing

/// Lists that are read in pieces: whatever holds of a short one holds of them.
@Suite struct `long lists` {
    private static let count = 5000

    /// Rows of about 100 bytes, so that a list has several pieces; every text holds what a cut must
    /// not fall for.
    private func rows() -> [String] {
        (1...Self.count).map { number in
            let note = #""note":{"list":[1,[2,"],["],{}],"text":"\"a],\\"}"#
            return #"{"id":\#(number),"title":"a, \"b\" ]},{[ \\",\#(note),"n":\#(number)}"#
        }
    }

    private func list(_ rows: [String], separator: String = ",") -> String {
        "[" + rows.joined(separator: separator) + "]"
    }

    @Test(arguments: [",", " ,\n\t", ", "])
    func `every row is taken in its order, with its document`(separator: String) async throws {
        let cache = try Cache(.memory)
        let body = " \n" + list(rows(), separator: separator) + "\n "
        let reconciled = try await cache.store.pull(body)
        #expect(reconciled.rows == Int64(Self.count))
        #expect(reconciled.skipped == .none)
        #expect(
            try await cache.rows("SELECT document FROM \(EveryTodo.rows) ORDER BY id") == rows())
        #expect(
            try await cache.rows("SELECT DISTINCT title FROM todos") == [#"a, "b" ]},{[ \"#])
        try await cache.expectLawful()
    }

    @Test func `rows of any piece that cannot be taken are named by their place`() async throws {
        let cache = try Cache(.memory)
        var rows = rows()
        rows[7] = "null"
        rows[2500] = #"{"id":2501}"#
        rows[Self.count - 1] = #"{"title":"no id"}"#
        let reconciled = try await cache.store.pull(list(rows))
        #expect(reconciled.rows == Int64(Self.count) - 3)
        #expect(reconciled.skipped.count == 3)
        #expect(
            reconciled.skipped.named.map(\.description) == [
                "[7]: expected an object, found null, or a row of more than 1 MiB",
                "[2500].title: expected a text, found nothing",
                "[4999].id: expected an integer or a text, found nothing",
            ])
    }

    @Test func `of rows that cannot be taken in many pieces the first are named`() async throws {
        let cache = try Cache(.memory)
        let empty = "{" + String(repeating: " ", count: 100) + "}"
        let empties = Array(repeating: empty, count: Self.count)
        let reconciled = try await cache.store.pull(list(empties + [#"{"id":1,"title":"a"}"#]))
        #expect(reconciled.rows == 1)
        #expect(reconciled.skipped.count == Int64(Self.count))
        #expect(reconciled.skipped.named.count == SkippedRows.namedAtMost)
        #expect(reconciled.skipped.named.last?.place == "[19].id")
    }

    @Test func `D14: one of which no row can be a todo is unusable`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(#"[{"id":1,"title":"kept"}]"#)
        let rows = (1...Self.count).map { #"{"_id":\#($0),"title":"todo \#($0)"}"# }
        await #expect(
            throws: StoreError.unusableBody(
                "no row has a usable `id` and a `title`; the first row has `_id`, `title`")
        ) { try await cache.store.pull(list(rows)) }
        #expect(try await cache.rows("SELECT title FROM todos") == ["kept"])
    }

    @Test func `D6: equal rows of one id, far apart, count once`() async throws {
        let cache = try Cache(.memory)
        var rows = rows()
        rows[Self.count - 1] = rows[0]
        rows[100] = rows[0]
        let reconciled = try await cache.store.pull(list(rows))
        #expect(reconciled.rows == Int64(Self.count) - 2)
        #expect(reconciled.skipped == .none)
        #expect(reconciled.isComplete)
        rows.remove(at: Self.count - 1)
        rows.remove(at: 100)
        #expect(try await cache.rows("SELECT document FROM \(EveryTodo.rows) ORDER BY id") == rows)
    }

    @Test func `D6: rows that differ under one id, far apart, are all skipped`() async throws {
        let cache = try Cache(.memory)
        var rows = rows()
        rows[Self.count - 1] = #"{"id":1,"title":"another"}"#
        rows[2500] = #"{"id":1,"title":"a third"}"#
        rows[100] = "null"
        let reconciled = try await cache.store.pull(list(rows))
        #expect(reconciled.rows == Int64(Self.count) - 4)
        #expect(
            reconciled.skipped.named.map(\.description) == [
                "[100]: expected an object, found null, or a row of more than 1 MiB",
                "[0].id: another row has the same id and differs",
            ])
        #expect(!reconciled.isComplete)
        #expect(
            try await cache.rows("SELECT count(*) FROM \(EveryTodo.rows) WHERE server_id = '1'")
                == ["0"])
    }

    /// Each of these is malformed as a whole.
    @Test(arguments: [
        ("[", ",]"), ("[,", "]"), ("[", ""), ("", "]"), ("[", "}"), ("{", "]"), ("[", "]]"),
        ("[", "] 1"), ("[", ",,1]"), ("[", "],[1]"), ("[[", "]"), ("[", " 1]"), ("[", ",{]"),
        ("[", ",1}"), ("[\"", "]"), ("[{", "]}"), ("[", ",\"]"),
        ("[" + String(repeating: " ", count: 100_000) + ",", "]"),
        ("[", "," + String(repeating: " ", count: 100_000) + "]"),
    ])
    func `one that is malformed anywhere fails the pull`(start: String, end: String) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull("[{\"id\":1,\"title\":\"kept\"}]")
        let body = start + rows().joined(separator: ",") + end
        await #expect(
            throws: StoreError.unusableBody("expected a list of todos, found malformed JSON")
        ) { try await cache.store.pull(body) }
        #expect(try await cache.rows("SELECT title FROM todos") == ["kept"])
    }

    @Test func `an empty list with a lot of white space is empty`() async throws {
        let cache = try Cache(.memory)
        let space = String(repeating: " \n", count: 50_000)
        #expect(try await cache.store.pull("[" + space + "]" + space).rows == 0)
    }

    @Test func `N15: rows within an object are read in pieces, too`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.beginMoviesPull()
        let rows = movies(1...5000).replacing(#"{"id":4000,"title":"m4000"}"#, with: "{}")
        let facts = try await cache.store.stage(envelope(rows, pages: 7, results: 9000), page: 1)
        #expect(facts.rows == 5000 && facts.newRows == 5000)
        #expect(facts.totalPages == 7)
        #expect(
            facts.skipped.named.map(\.description) == [
                "results[3999].id: expected an integer, found nothing"
            ])
    }

    /// A long list of movies in what is around it.
    private func page(_ before: String, _ after: String) -> [UInt8] {
        Array((before + "[" + movies(1...5000) + "]" + after).utf8)
    }

    @Test(arguments: [
        (#"{"results":"#, #","total_pages":1,"total_results":5000}"#),
        (
            #" { "a" : "\"results\":[" , "results" : "#,
            "\n, \"total_pages\":1,\"total_results\":5000 } "
        ),
        (
            #"{"b":{"results":[1]},"c":[{"results":[]},2],"d":-1.5e3,"total_pages":1,"results":"#,
            #","results":[{"id":1}],"total_results":5000}"#
        ),
        (#"{"b":[\#(movies(1...4000))],"total_pages":1,"results":"#, #","total_results":5000}"#),
    ])
    func `the list is the one that the declaration names`(
        before: String, after: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.beginMoviesPull()
        let facts = try await cache.store.stage(page(before, after), page: 1, of: moviesTable)
        #expect(facts.rows == 5000 && facts.newRows == 5000 && facts.skipped == .none)
        #expect(facts.totalPages == 1 && facts.totalRows == 5000)
    }

    @Test(arguments: [
        (#"{"results":"#, ""), (#"{"results":"#, "}}"), (#"{"results":"#, "} 1"),
        (#"{"results":"#, ",}"), (#"{"results":"#, #","total_pages":1]"#), (#"{"results" "#, "}"),
        (#"{"a":1 "results":"#, "}"), (#"{,"results":"#, "}"), (#"{results:"#, "}"),
        (#"{"a":,"results":"#, "}"), (#"["results":"#, "]"), (#"{"results":["#, "}"),
    ])
    func `what is malformed around a list fails the pull`(
        before: String, after: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.beginMoviesPull()
        await #expect(
            throws: StoreError.unusableBody("expected a list of movies, found malformed JSON")
        ) { try await cache.store.stage(page(before, after), page: 1, of: moviesTable) }
    }

    @Test func `N4: between the pieces of a long list others are served`() async throws {
        let cache = try Cache(.memory)
        let store = cache.store
        let isServed = Flag()
        let (work, sign) = AsyncStream.makeStream(of: Void.self)
        // The list is given up once another call was served in the middle of it.
        store.stopPulls {
            sign.yield()
            return isServed.value.withLock { $0 }
        }
        async let added: Void = {
            for await _ in work { break }
            _ = try await store.add("milk")
            isServed.value.withLock { $0 = true }
        }()
        let body = list((1...500_000).map { #"{"id":\#($0),"title":"a"}"# })
        try await store.beginPull(of: todosTable)
        await #expect(throws: StoreError.stopped) {
            try await store.stage(Array(body.utf8), page: 1, of: todosTable)
        }
        try await added
        #expect(try await cache.rows("SELECT title FROM todos") == ["milk"])
    }
}

private final class Flag: Sendable {
    let value = Mutex(false)
}
