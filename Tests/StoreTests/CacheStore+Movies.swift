import Declarations
import Host
import Rules
import SQLite
import Store
import Tables

/// The URL of a page.
func url(_ page: Int) -> String { "http://127.0.0.1:8080/3/movie/upcoming?page=\(page)" }

/// A page as it is published.
func page(_ number: Int, _ facts: PageFacts, tag: String? = nil) -> PublishedPage {
    PublishedPage(
        number: number, url: url(number),
        validators: StoredValidators(entityTag: tag, lastModified: nil), facts: facts)
}

/// Rows with these ids, between commas.
func movies(_ ids: ClosedRange<Int>) -> String {
    ids.map { #"{"id":\#($0),"title":"m\#($0)"}"# }.joined(separator: ",")
}

/// A page around rows.
func envelope(_ rows: String, pages: Int = 1, results: Int = 20) -> String {
    #"{"page":1,"results":[\#(rows)],"total_pages":\#(pages),"total_results":\#(results)}"#
}

/// The list of movies, as every cache has it.
let moviesTable = ListTable(
    .movies(isEnabled: true, language: nil, region: nil, interval: .seconds(21_600)))

extension CacheStore {
    func beginMoviesPull() throws(StoreError) { try beginPull(of: moviesTable) }

    /// Stages one page, of a pull that has begun or not.
    func stage(_ body: String, page: Int) async throws(StoreError) -> PageFacts {
        try withConnection { connection in
            for sql in moviesTable.pull.prepare { try connection.run(sql) }
        }
        return try await stage(Array(body.utf8), page: page, of: moviesTable)
    }

    func stageUnchangedMovies(url: String, page: Int) throws(StoreError) -> PageFacts? {
        try stageUnchanged(url: url, page: page, of: moviesTable)
    }

    func storedPage(url: String) throws(StoreError) -> StoredValidators? {
        try storedPage(url: url, of: moviesTable)
    }

    func hasDoubledMovies() throws(StoreError) -> Bool { try hasDoubledRows(of: moviesTable) }

    func publishMovies(
        _ pages: [PublishedPage], reach: PullReach, now: WallTime,
        isHeld: @Sendable (ListPull) throws -> Bool
    ) async throws(StoreError) -> Int64? {
        try await publish(pages, of: moviesTable, reach: reach, now: now, isHeld: isHeld)
    }

    /// Publishes what is staged, held back by nothing.
    func publish(_ pages: [PublishedPage], _ reach: PullReach) async throws(StoreError) -> Int64? {
        try await publishMovies(pages, reach: reach, now: noon) { _ in false }
    }

    /// A whole pull of pages with these rows.
    func pull(
        movies pages: [String], entityTags: Bool = false, reach: PullReach = .complete,
        at milliseconds: Int64 = noon.milliseconds
    ) async throws(StoreError) {
        try beginMoviesPull()
        var published: [PublishedPage] = []
        for (index, rows) in pages.enumerated() {
            let facts = try await stage(
                envelope(rows, pages: pages.count, results: pages.count * 20), page: index + 1)
            published.append(
                page(index + 1, facts, tag: entityTags ? "\"tag \(index + 1)\"" : nil))
        }
        _ = try await publishMovies(
            published, reach: reach, now: WallTime(milliseconds: milliseconds)
        ) {
            _ in
            false
        }
    }
}
