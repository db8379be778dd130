internal import CommandLine
internal import Host
internal import Rendering
internal import Store
internal import Text

extension Command {
    static let movies = Command(
        "movies", "Lists the upcoming movies, in the order of the server's list.",
        options: [
            .json,
            OptionSpec("search", "TEXT", "only movies with every word of TEXT, best first"),
            OptionSpec("from", "DATE", "only movies released on DATE or later"),
            OptionSpec("to", "DATE", "only movies released on DATE or earlier"),
            OptionSpec("sort", "ORDER", "sort by date, rating or title"),
            OptionSpec("limit", "N", "at most N movies"),
            OptionSpec("changes", "the movies that appeared, slipped or vanished, instead"),
            OptionSpec("since", "DATE", "with --changes: only changes seen on DATE or later"),
        ],
        notes: [
            "DATE is YYYY-MM-DD, or today. With --json, `document` is the server's own object,",
            "whole. --search looks into titles and overviews. Case and accents do not count, and",
            "the last word may be incomplete.",
        ],
        statuses: [.configuration, .closedPipe],
        examples: [
            "syncd movies --from today --sort date --limit 10",
            "syncd movies --search 'amelie par'",
            "syncd movies --changes --since 2026-01-01",
        ]
    ) { arguments, composition async throws(CommandError) in
        guard arguments.flags.contains("changes") else {
            guard arguments.values["since"] == nil else {
                throw arguments.usage("--since goes with --changes")
            }
            try await list(arguments, composition)
            return .ok
        }
        if let other = ["search", "from", "to", "limit", "sort"].first(where: arguments.has) {
            throw arguments.usage("--\(other) does not go with --changes")
        }
        let since = try arguments.day("since", today: composition.today)
        let store = try composition.openForReading(try composition.place(for: arguments))
        let rows = try await CommandError.awaiting(
            CommandError.store, try await store.movieChanges(since: since))
        if arguments.wantsJSON {
            try composition.console.write(.array(rows.map(\.json)))
        } else {
            try composition.console.write(MovieChangeRow.table(of: rows, composition.moments))
        }
        return .ok
    }

    private static func list(
        _ arguments: Arguments, _ composition: Composition
    ) async throws(CommandError) {
        let from = try arguments.day("from", today: composition.today)
        let to = try arguments.day("to", today: composition.today)
        let order = try arguments.movieOrder()
        let limit = try arguments.positiveInteger("limit").map { Int(clamping: $0) }
        let store = try composition.openForReading(try composition.place(for: arguments))
        let movies = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            guard let text = arguments.values["search"] else {
                return try await store.movies(
                    from: from, to: to, limit: limit, order: order ?? .list)
            }
            return try await store.searchMovies(text: text, from: from, to: to, limit: limit)
        }
        guard arguments.wantsJSON else {
            return try composition.console.write(MovieRow.table(of: movies))
        }
        var list = JSONArrayWriter()
        for movie in movies { try composition.console.write(list.add(movie.json)) }
        try composition.console.write(list.end())
    }
}

extension Composition {
    /// The day that it is where the person is.
    fileprivate var today: String {
        let now = time.wallTime().milliseconds
        return String(HumanTime.iso(now + LocalZone.offset(at: now)).prefix(10))
    }
}

extension Arguments {
    /// What `--sort` says.
    fileprivate func movieOrder() throws(CommandError) -> MovieOrder? {
        guard let text = values["sort"] else { return nil }
        guard !has("search") else {
            throw usage("--sort does not go with --search: the best is first")
        }
        guard let order = MovieOrder(rawValue: text), order != .list else {
            throw usage("--sort takes date, rating or title, not ‘\(Self.shown(text))’")
        }
        return order
    }

    /// Whether the option was given a value.
    fileprivate func has(_ option: String) -> Bool { values[option] != nil }
}
