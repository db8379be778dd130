internal import Rendering
internal import Store

extension Command {
    static let movies = Command(
        "movies", "Lists the upcoming movies, in the order of the server's list.",
        options: [
            .json,
            OptionSpec("search", "TEXT", "only movies that hold every word of TEXT, best first"),
            OptionSpec("from", "DATE", "only movies released on DATE or later (YYYY-MM-DD)"),
            OptionSpec("to", "DATE", "only movies released on DATE or earlier"),
            OptionSpec("limit", "N", "at most N movies"),
            OptionSpec("changes", "which movies appeared, slipped or vanished, instead"),
            OptionSpec("since", "DATE", "with --changes, only those seen on DATE or later"),
        ],
        notes: [
            "With --json, `document` is the server's own object, whole. --search looks into titles and",
            "overviews; case and accents do not count, and the last word may be only begun.",
        ],
        statuses: [.configuration, .closedPipe],
        examples: [
            "syncd movies --from 2026-01-01 --limit 10", "syncd movies --search 'amelie par'",
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
        if let other = ["search", "from", "to", "limit"].first(where: arguments.has) {
            throw arguments.usage("--\(other) does not go with --changes")
        }
        let since = try arguments.day("since")
        let store = try composition.openForReading(try composition.place(for: arguments))
        let rows = try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.movieChanges(since: since)
        }
        if arguments.wantsJSON {
            try composition.console.write(.array(rows.map(\.json)))
        } else {
            try composition.console.write(MovieChangeRow.table(of: rows))
        }
        return .ok
    }

    private static func list(
        _ arguments: Arguments, _ composition: Composition
    ) async throws(CommandError) {
        let from = try arguments.day("from")
        let to = try arguments.day("to")
        let limit = try arguments.positiveInteger("limit").map { Int(clamping: $0) }
        let store = try composition.openForReading(try composition.place(for: arguments))
        let movies = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            guard let text = arguments.values["search"] else {
                return try await store.movies(from: from, to: to, limit: limit)
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

extension Arguments {
    /// Whether the option was given a value.
    fileprivate func has(_ option: String) -> Bool { values[option] != nil }
}
