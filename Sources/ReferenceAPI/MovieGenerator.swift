import FoundationEssentials

/// Invents a list of movies in the recorded shape, with its traps, wholly decided by a seed.
struct MovieGenerator {
    /// The window that the envelope announces. Most rows lie outside it, as at the real service.
    static let dates = (minimum: "2026-12-02", maximum: "2026-12-23")
    private static let windowStart = 20_789

    private var random: SeededGenerator
    private var titles: Set<String> = []
    private var popularity = 1_850_000

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// So many rows, the most popular first, each one a JSON object.
    mutating func rows(_ count: Int) -> [[UInt8]] {
        (0..<count).map { row($0) }
    }

    private mutating func row(_ index: Int) -> [UInt8] {
        let named = title(index)
        let votes = votes(index)
        var members: [(String, JSONOutput)] = [
            ("adult", index == 77 ? .null : .bool(false)),
            ("backdrop_path", index % 7 == 5 ? .null : image()),
            ("genre_ids", genres(index)),
            // Unique, because the two numbers have no common divisor; in no order.
            ("id", .integer(Int64(300_000 + index * 7919 % 900_001))),
            ("original_language", .string(named.language)),
            ("original_title", .string(named.original)),
            ("overview", .string(index % 13 == 6 ? "" : overview())),
            ("popularity", .number(nextPopularity())),
            ("poster_path", index % 11 == 3 ? .null : image()),
            ("title", .string(named.title)),
            ("video", .bool(index % 53 == 30)),
            ("vote_average", .number(votes.average)),
            ("vote_count", .integer(votes.count)),
        ]
        if index % 37 != 12 {
            members.append(("release_date", .string(index % 29 == 8 ? "" : releaseDate(index))))
        }
        if index % 41 == 20 {
            members.append(("origin_country", .array([.string("ZZ"), .null])))
        }
        members.sort { $0.0 < $1.0 }
        if index % 3 == 2 { members.shuffle(using: &random) }
        return JSONOutput.object(members).bytes(asciiOnly: index % 31 == 10)
    }

    private mutating func title(
        _ index: Int
    ) -> (language: String, original: String, title: String) {
        if index % 17 == 1, index / 17 < MovieWords.translated.count {
            return MovieWords.translated[index / 17]
        }
        for _ in 0..<100 {
            let text = inventedTitle()
            if titles.insert(text).inserted { return ("en", text, text) }
        }
        // The vocabulary is used up: a list far longer than the real one.
        let text = "\(inventedTitle()) No. \(index)"
        return ("en", text, text)
    }

    private mutating func inventedTitle() -> String {
        let adjective = pick(MovieWords.adjectives)
        let noun = pick(MovieWords.nouns)
        let place = pick(MovieWords.places)
        let name = pick(MovieWords.names)
        return switch Int.random(in: 0..<7, using: &random) {
        case 0: "The \(adjective) \(noun)"
        case 1: "The \(noun) of \(place)"
        case 2: "\(name) and the \(noun)"
        case 3: "\(adjective) \(noun)"
        case 4: "\(name)’s \(adjective) \(noun)"
        case 5: "Last \(noun) Before \(place)"
        default: "\(noun) \(Int.random(in: 2...4, using: &random)): \(place)"
        }
    }

    private mutating func overview() -> String {
        let name = pick(MovieWords.names)
        let trade = pick(MovieWords.trades)
        let place = pick(MovieWords.places)
        let find = pick(MovieWords.finds)
        let article = "aeiou".contains(trade.prefix(1)) ? "an" : "a"
        let first = "\(name), \(article) \(trade) in \(place), \(find)."
        return Bool.random(using: &random) ? "\(first) \(pick(MovieWords.stakes))" : first
    }

    private mutating func genres(_ index: Int) -> JSONOutput {
        if index % 17 == 4 { return .array([]) }
        let chosen = MovieWords.genres.shuffled(using: &random)
            .prefix(Int.random(in: 1...4, using: &random))
        return .array(chosen.map { .integer(Int64($0)) })
    }

    private mutating func image() -> JSONOutput {
        let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789")
        let name = String((0..<27).map { _ in pick(letters) })
        return .string("/\(name).jpg")
    }

    /// Integers and decimals in one list, as recorded.
    private mutating func votes(_ index: Int) -> (average: String, count: Int64) {
        switch index % 5 {
        case 0: ("0", 0)
        case 1: (String(Int.random(in: 4...9, using: &random)), pickCount())
        default: (Self.decimal(Int.random(in: 4100...8900, using: &random)), pickCount())
        }
    }

    private mutating func pickCount() -> Int64 {
        Int64.random(in: 1...5000, using: &random)
    }

    private mutating func nextPopularity() -> String {
        popularity -= popularity / 75 + Int.random(in: 0...(popularity / 400 + 1), using: &random)
        return Self.decimal(max(0, popularity))
    }

    /// Thousandths as a JSON number without needless zeros.
    private static func decimal(_ thousandths: Int) -> String {
        let fraction = String(String(thousandths % 1000 + 1000).dropFirst())
        let kept = fraction.reversed().drop { $0 == "0" }.reversed()
        let whole = String(thousandths / 1000)
        return kept.isEmpty ? whole : whole + "." + String(kept)
    }

    private mutating func releaseDate(_ index: Int) -> String {
        let isRerelease = index % 19 == 9
        let days = isRerelease ? -24_000 ... -5_000 : -70...140
        let day = Self.windowStart + Int.random(in: days, using: &random)
        let date = Date(timeIntervalSince1970: Double(day) * 86_400)
        return date.formatted(.iso8601.year().month().day())
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }
}

extension MovieCatalogue {
    /// An invented list in the recorded shape: titles and overviews in several scripts, missing
    /// posters, overviews and dates, re-releases, integers among the decimals, keys in any order.
    ///
    /// - Parameters:
    ///   - count: How many movies; the demo serves 434 on 22 pages.
    ///   - seed: The same seed gives the same bytes.
    ///   - overlap: The last row of page 7 is the first of page 8 too.
    ///   - dates: Whether the envelopes tell the window.
    /// - Returns: The pages, the most popular movie first.
    public static func generated(
        count: Int, seed: UInt64, overlap: Bool, dates: Bool
    ) -> MovieCatalogue {
        var generator = MovieGenerator(seed: seed)
        return MovieCatalogue(
            rows: generator.rows(max(0, count)), overlapAfterPage: overlap ? 7 : nil,
            dates: dates ? MovieGenerator.dates : nil)
    }
}
