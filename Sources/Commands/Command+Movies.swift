internal import Rendering
internal import Store

extension Command {
    static let movies = Command(
        "movies", "Lists the upcoming movies, in the order of the server's list.",
        options: [
            .json, OptionSpec("from", "DATE", "only movies released on DATE or later (YYYY-MM-DD)"),
            OptionSpec("to", "DATE", "only movies released on DATE or earlier"),
            OptionSpec("limit", "N", "at most N movies"),
        ],
        notes: ["With --json, `document` is the server's own object, whole."],
        statuses: [.configuration, .closedPipe],
        examples: ["syncd movies --from 2026-01-01 --limit 10"]
    ) { arguments, composition async throws(CommandError) in
        let from = try arguments.day("from")
        let to = try arguments.day("to")
        let limit = try arguments.positiveInteger("limit").map { Int(clamping: $0) }
        let store = try composition.openForReading(try composition.place(for: arguments))
        let movies = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            try await store.movies(from: from, to: to, limit: limit)
        }
        guard arguments.wantsJSON else {
            try composition.console.write(MovieRow.table(of: movies))
            return .ok
        }
        var list = JSONArrayWriter()
        for movie in movies { try composition.console.write(list.add(movie.json)) }
        try composition.console.write(list.end())
        return .ok
    }
}
