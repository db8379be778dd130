extension Declaration {
    /// The upcoming movies of TMDB, or of a server with the same paths.
    ///
    /// Source: docs/server-api.md, "Movies".
    public static func movies(
        isEnabled: Bool, language: String?, region: String?, interval: Duration
    ) -> Declaration {
        let query = [("language", language), ("region", region)].compactMap { name, value in
            value.map { "\(name)=\($0)" }
        }
        return Declaration(
            name: .movies, isEnabled: isEnabled, server: nil,
            list: "/movie/upcoming" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            listBody: nil, each: nil,
            rows: .member("results"), rowsAreMembers: false, condition: nil, id: .member("id"),
            ids: .server,
            paging: .pages(
                CountedPages(
                    parameter: .query("page"), first: 1, pages: .path(.member("total_pages")),
                    rows: .path(.member("total_results")), most: 500)),
            since: nil, interval: interval,
            columns: [
                Column(name: "id", source: .bookkeeping(.id)),
                .field("title", .text, isRequired: true),
                .field("original_title", .text), .field("original_language", .text),
                .field("overview", .text), .field("release_date", .text, isIndexed: true),
                .field("poster_path", .text), .field("backdrop_path", .text),
                .field("genre_ids", .json), .field("popularity", .real),
                .field("vote_average", .real), .field("vote_count", .integer),
                .field("adult", .boolean), .field("video", .boolean),
                Column(name: "rank", source: .bookkeeping(.rank)),
                Column(name: "fetched_at", source: .bookkeeping(.fetched)),
                Column(name: "document", source: .bookkeeping(.document)),
            ],
            search: ["title", "original_title", "overview"], history: "release_date", label: nil,
            calls: [:], actions: [],
            read: nil,
            once: .look, match: [], identity: ["id"], conflict: .theirs)
    }

    /// The todos of a person.
    ///
    /// Source: docs/server-api.md, "Todos".
    public static func todos(
        isEnabled: Bool, honoursIdempotencyKeys: Bool, interval: Duration
    ) -> Declaration {
        let calls = [WriteCall.Kind.create, .delete].map {
            ($0, UsualCalls(list: "/todos", isPosted: false).write($0))
        }
        return Declaration(
            name: .todos, isEnabled: isEnabled, server: nil, list: "/todos", listBody: nil,
            each: nil, rows: .root, rowsAreMembers: false,
            condition: nil, id: .member("id"), ids: .local, paging: .none, since: nil,
            interval: interval,
            columns: [
                Column(name: "id", source: .bookkeeping(.id)),
                .field(
                    "title", .text, writing: .create, isRequired: true, byteLimit: 4096,
                    mayBeEmpty: false),
                Column(name: "state", source: .bookkeeping(.state)),
                Column(name: "server_id", source: .bookkeeping(.serverID)),
                Column(name: "created_at", source: .bookkeeping(.added)),
                Column(name: "error", source: .bookkeeping(.error)),
            ],
            search: [], history: nil, label: nil, calls: Dictionary(uniqueKeysWithValues: calls),
            actions: [], read: nil,
            once: honoursIdempotencyKeys ? .header("Idempotency-Key") : .look, match: ["title"],
            identity: ["id", "title"], conflict: .theirs)
    }
}

extension LoginDescription {
    /// That of the todos' server.
    ///
    /// Source: docs/server-api.md, "Todos".
    package static func todos(user: String) -> LoginDescription {
        LoginDescription(
            path: "/login", user: user, body: .none, token: .member("string"), status: 401,
            prefix: standardPrefix, renewal: nil)
    }
}

extension JSONPath {
    /// A field of the document itself.
    fileprivate static func member(_ name: String) -> JSONPath { JSONPath(steps: [.member(name)]) }
}

extension Column {
    /// A field of the document itself, under its own name.
    fileprivate static func field(
        _ name: String, _ type: ColumnType, writing: Writing = .none, isRequired: Bool = false,
        isIndexed: Bool = false, byteLimit: Int = Limits.textBytes, mayBeEmpty: Bool = true
    ) -> Column {
        Column(
            name: name, source: .field(type, .member(name)), writing: writing,
            isRequired: isRequired, isIndexed: isIndexed, byteLimit: byteLimit,
            mayBeEmpty: mayBeEmpty)
    }
}
