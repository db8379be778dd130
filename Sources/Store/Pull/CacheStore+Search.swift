internal import SQLite
internal import Text

extension CacheStore {
    /// The movies that hold every word of `text`, the last one as the beginning of a word; the best
    /// first, where a hit in the title counts most. At most `limit` of them, released within the two
    /// dates (`YYYY-MM-DD`, both included).
    ///
    /// Any text is safe: no character of it is an operator. Case and diacritics do not count. A text
    /// without a letter or digit finds nothing, which is no error.
    public func searchMovies(
        text: String, from: String?, to: String?, limit: Int?
    ) throws(StoreError) -> [MovieRow] {
        guard let query = SearchQuery(text) else { return [] }
        return try read {
            try connection.all(
                """
                SELECT shown.id, shown.title, shown.original_title, shown.release_date,
                    shown.popularity, shown.vote_average, shown.vote_count, shown.rank,
                    shown.document
                FROM movie_search JOIN movies AS shown ON shown.id = movie_search.rowid
                WHERE movie_search MATCH ?4
                    AND (?1 IS NULL OR release_date >= ?1)
                    AND (?2 IS NULL OR release_date <= ?2 AND release_date <> '')
                ORDER BY movie_search.rank, shown.rank LIMIT ?3
                """, .text(from), .text(to), .integer(limit ?? -1), .text(query.expression),
                row: MovieRow.init(row:))
        }
    }
}

/// A person's search as an expression of FTS5, in which every word is a string.
///
/// Source: https://www.sqlite.org/fts5.html#full_text_query_syntax
package struct SearchQuery {
    /// Words after these are not looked for.
    static let maxWords = 32
    /// In bytes of UTF-8; what stands after them is not looked for.
    static let maxBytes = 1024

    package let expression: String

    /// Nil where there is no word.
    package init?(_ text: String) {
        let words = Self.beginning(of: text).unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7f }
            .prefix(Self.maxWords)
        guard !words.isEmpty else { return nil }
        expression = words.map(Self.string).joined(separator: " ") + "*"
    }

    private static func string(_ word: Substring.UnicodeScalarView) -> String {
        String(word).quoted(by: "\"", escaping: "\"\"")
    }

    /// Cut between two characters, so that the last word is the beginning of one.
    private static func beginning(of text: String) -> String {
        guard text.utf8.count > maxBytes else { return text }
        var scalars = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= maxBytes else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
