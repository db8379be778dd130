import Host
import Store

/// The URL of a page.
func url(_ page: Int) -> String { "http://127.0.0.1:8080/3/movie/upcoming?page=\(page)" }

/// A page as it is published.
func page(_ number: Int, _ facts: MoviePageFacts, tag: String? = nil) -> PublishedPage {
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

extension CacheStore {
    /// Stages one page.
    func stage(_ body: String, page: Int) throws(StoreError) -> MoviePageFacts {
        try stageMovies(body: Array(body.utf8), page: page)
    }

    /// Publishes what is staged, held back by nothing.
    func publish(_ pages: [PublishedPage], _ reach: PullReach) throws(StoreError) -> Int64? {
        try publishMovies(pages, reach: reach, now: noon) { _ in false }
    }

    /// A whole pull of pages with these rows.
    func pull(
        movies pages: [String], entityTags: Bool = false, reach: PullReach = .complete,
        at milliseconds: Int64 = noon.milliseconds
    ) throws(StoreError) {
        try beginMoviesPull()
        var published: [PublishedPage] = []
        for (index, rows) in pages.enumerated() {
            let facts = try stage(
                envelope(rows, pages: pages.count, results: pages.count * 20), page: index + 1)
            published.append(
                page(index + 1, facts, tag: entityTags ? "\"tag \(index + 1)\"" : nil))
        }
        _ = try publishMovies(published, reach: reach, now: WallTime(milliseconds: milliseconds)) {
            _ in
            false
        }
    }
}
