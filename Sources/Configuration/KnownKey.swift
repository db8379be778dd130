import Text

/// The value of a key, as JSON can hold it.
public enum SettingValue: Sendable, Hashable {
    /// Not set.
    case null
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Any text, a duration and a path too.
    case text(String)
    /// Several texts.
    case list([String])
}

/// A key of the configuration: everything about it but its effect. The only place where a default
/// stands. Tests compare `config.example.json` and the table of docs/configuration.md with it.
public struct KnownKey: Sendable, Hashable {
    /// Sections and key with dots between them: `movies.interval` is `{"movies": {"interval": …}}`.
    public let name: String
    /// The value if the key is not set. `config.example.json` has the same values, except for
    /// `database`: its account is the demo's, which has its own cache.
    public let defaultValue: SettingValue
    /// What it may be, as an error says it.
    public let allowed: String
    /// What it is for.
    public let meaning: String
    /// Whether its value must never be shown.
    public let isSecret: Bool

    /// Whether its value is a path, so that `~/` at its start is the home directory.
    var isPath: Bool { allowed == Self.pathForm }

    /// Whether a person's mistake puts a secret there: in the place of the path of its file, or in an
    /// address.
    var mayHoldSecret: Bool {
        isSecret
            || [
                "movies.tokenFile", "movies.apiKeyFile", "todos.passwordFile", "http.proxy",
                "http.allowInsecure",
            ].contains(name)
    }

    private init(
        _ name: String, _ defaultValue: SettingValue, _ allowed: String, _ meaning: String,
        isSecret: Bool = false
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.allowed = allowed
        self.meaning = meaning
        self.isSecret = isSecret
    }

    /// Every key, in the order of `config.example.json`.
    public static let all: [KnownKey] =
        [
            KnownKey(
                "database", .null, pathForm,
                "path of the cache; null: cache.sqlite in the state directory"),
            KnownKey(
                "lists", .null, pathForm,
                "directory of the files that declare lists; null: lists beside this file"),
        ] + movies + todos + http + log

    private static let movies = [
        KnownKey(
            "movies.enabled", .bool(true), "true or false",
            "whether movies are kept; without a section `movies` they are not"),
        KnownKey(
            "movies.baseURL", .text("http://127.0.0.1:8080/3"), "an http or https address",
            "where the movies come from; TMDB is https://api.themoviedb.org/3"),
        KnownKey(
            "movies.token", .text("demo"), secretForm, "read token, for a server on this machine",
            isSecret: true),
        KnownKey("movies.tokenFile", .null, pathForm, "file that holds the read token"),
        KnownKey("movies.apiKeyFile", .null, pathForm, "file that holds an API key instead"),
        KnownKey(
            "movies.language", .text("en-US"), "a language tag such as en-US, or null",
            "language of titles and overviews"),
        KnownKey(
            "movies.region", .null, "two capital letters such as US, or null",
            "country whose release dates count"),
        KnownKey("movies.interval", .text("6h"), intervalForm, "time between two pulls"),
    ]

    private static let todos = [
        KnownKey(
            "todos.enabled", .bool(true), "true or false",
            "whether todos are kept; without a section `todos` they are not"),
        KnownKey(
            "todos.baseURL", .text("http://127.0.0.1:8080"), "an http or https address",
            "where the todos live"),
        KnownKey(
            "todos.email", .text("demo@example.com"),
            "3 to 254 bytes with an @, without spaces, colons and control characters",
            "name of the account"),
        KnownKey(
            "todos.password", .text("demo"), secretForm, "for a server on this machine",
            isSecret: true),
        KnownKey("todos.passwordFile", .null, pathForm, "file that holds the password"),
        KnownKey("todos.interval", .text("1m"), intervalForm, "time between two pulls"),
        KnownKey(
            "todos.idempotency", .text("none"), "none or key",
            "key: the server honours Idempotency-Key"),
        KnownKey("todos.concurrency", .integer(4), "1 to 16", "operations under way at once"),
    ]

    private static let http = [
        KnownKey(
            "http.connectTimeout", .text("10s"), "a duration from 100ms to 10m",
            "time to make a connection"),
        KnownKey(
            "http.timeout", .text("60s"), "a duration from 100ms to 1h",
            "time for a whole request, and, from 30 s on, for the cache's work on one list; an operation stays in doubt for at least twice this time"
        ),
        KnownKey(
            "http.maxBodyBytes", .integer(67_108_864), "1024 to 1073741824",
            "largest answer, in bytes after decoding; all pages of a list together have at most 16 times as many"
        ),
        KnownKey(
            "http.proxy", .null, "an http or https address without a path, or null",
            "proxy for every request"),
        KnownKey(
            "http.caFile", .null, pathForm,
            "certificates to trust instead of the system's, also for `http.proxy`"),
        KnownKey(
            "http.allowInsecure", .list([]), "a list of http addresses",
            "base URLs on other machines that syncd may use without TLS"),
    ]

    private static let log = [
        KnownKey(
            "log.level", .text("info"), "debug, info, warning or error",
            "the lowest level that is logged"),
        KnownKey(
            "log.format", .text("auto"), "auto, text or json",
            "auto: priorities for the journal under systemd, else text"),
    ]

    private static let secretForm = "a text, or null"
    private static let pathForm = "an absolute path, one that begins with ~/, or null"
    private static let intervalForm = "a duration from 1s to 7d"

    /// The key of this name.
    static func named(_ name: String) -> KnownKey? { all.first { $0.name == name } }

    /// The names before the dot.
    static let sections = ["movies", "todos", "http", "log"]

    /// The known name that is most like `name`, if any is.
    static func nearest(to name: String) -> String? {
        NearestName.of(name, among: all.map(\.name) + sections + ["servers"])
    }
}
