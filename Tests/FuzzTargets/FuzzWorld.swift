import APIClient
import APIClientTesting
import Declarations
import Host
import Migrations
import SQLite
import Store
import SyncEngine
import Synchronization
import Tables
import TestSupport
import Text

/// One machine for one input: a cache in memory, clocks that stand still, and a server that answers
/// as the input says.
struct FuzzWorld {
    let time = VirtualTime()
    let store: CacheStore
    let server: ScriptedAnswers
    private let engine: Synchronizer
    /// What the client of the declared list sends.
    let secrets = Secrets()

    /// What no text may ever show.
    static let token = "canary-token"

    /// With a declared list too, whose secret is ``token``.
    init(
        _ server: ScriptedAnswers, list: ListTable? = nil, credential: ListCredential? = nil
    ) throws {
        self.server = server
        store = try CacheStore(
            .memory, migrations: Migration.all, maxBodyBytes: 1 << 20,
            executor: QueueExecutor(label: "fuzz world"), patience: .seconds(2),
            now: time.wallTime(), whileMigrating: {})
        let url = BaseURL.localhost
        let limits = RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20)
        let email = "demo@example.com"
        let tokens = MemoryTokenStore(
            StoredToken(baseURL: url.description, email: email, token: Self.token))
        let session = TodosSession(
            client: TodosClient(
                baseURL: url, limits: limits, userAgent: "fuzz", transport: server),
            email: email, password: "canary-password", tokens: tokens)
        let held = HeldSecret { () throws(APIError) in Self.token }
        engine = Synchronizer(
            store: store,
            lists: [
                .todos(
                    session: session, account: Account(baseURL: url.description, email: email),
                    interval: .seconds(60), concurrency: 4, honoursIdempotencyKeys: false,
                    timeout: .seconds(10)),
                .movies(
                    at: url, credential: .bearer(Self.token), limits: limits, userAgent: "fuzz",
                    over: server, interval: .seconds(60)),
            ]
                + [list].compactMap { $0 }.map { [secrets] table in
                    ListSource(
                        table: table,
                        client: ListClient(
                            baseURL: url,
                            credential: credential ?? .bearer(held),
                            fields: [], limits: limits, userAgent: "fuzz", transport: server,
                            secrets: secrets),
                        lanes: ServerLanes(most: 4),
                        writing: table.declaration.isReadOnly
                            ? nil
                            : .init(
                                account: Account(baseURL: url.description, email: email),
                                timeout: .seconds(10)))
                },
            time: time, random: NoJitter(), backoff: .standard, stop: StopSignal(), tell: { _ in })
    }

    /// A scheduled cycle, and the laws of the cache after it.
    @discardableResult
    func cycle(_ list: ListName) async throws -> CycleReport {
        let report = try await engine.cycle(list, because: .scheduled)
        let violations = try await StoreInvariants.violations(in: store)
        try require(violations.isEmpty, "the cache is lawful, not: \(violations)")
        try await requireReadable()
        return report
    }

    /// An hour, after which nothing waits for a backoff.
    func passAnHour() { time.advance(by: .seconds(3600)) }

    /// The rows of a query, each with its values between bars.
    func rows(_ sql: String) async throws -> [String] {
        try await store.withConnection { connection in
            try connection.all(sql) { row in
                (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
            }
        }
    }

    /// Everything that a pull may change, as text.
    func content() async throws -> [String] {
        try await rows("SELECT id, title, server_id, document FROM \(EveryTodo.rows) ORDER BY id")
            + rows("SELECT seq, kind, row_id, state FROM operation ORDER BY seq")
            + rows(
                """
                SELECT id, title, original_title, original_language, overview, release_date,
                    poster_path, backdrop_path, genre_ids, popularity, vote_average, vote_count,
                    adult, video, rank, document
                FROM movies ORDER BY id
                """)
    }

    /// Every text in the views is UTF-8 without a NUL, so that any reader's `SELECT *` works.
    private func requireReadable() async throws {
        for (view, columns) in Self.texts {
            for column in columns {
                let texts = try await store.withConnection { connection in
                    try connection.all("SELECT \(column) FROM \(view)") { $0.bytes(0) }
                }
                for text in texts {
                    let isReadable =
                        String(validating: text, as: UTF8.self) != nil && !text.contains(0)
                    try require(isReadable, "\(view).\(column) is text, not \(text)")
                }
            }
        }
    }

    private static let texts = [
        (
            "movies",
            [
                "title", "original_title", "original_language", "overview", "release_date",
                "poster_path", "backdrop_path", "genre_ids", "document",
            ]
        ),
        ("todos", ["title", "server_id", "error"]), ("outbox", ["title", "last_error"]),
        ("sync_status", ["last_error"]),
    ]
}

/// The lowest number: what is due is due at once.
struct NoJitter: RandomSource {
    func number(upTo bound: Int64) -> Int64 { 0 }
}

/// A server that answers what a closure says, and keeps what it was asked.
final class ScriptedAnswers: Transport {
    typealias Answer = @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse

    private let asked = Mutex<[HTTPRequest]>([])
    private let script: Mutex<Answer>

    init(_ answer: @escaping Answer) { script = Mutex(answer) }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func answer(_ answer: @escaping Answer) { script.withLock { $0 = answer } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        let answer = script.withLock { $0 }
        return try answer(request)
    }
}

extension HTTPResponse {
    static func json(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array(text.utf8))
    }
}
