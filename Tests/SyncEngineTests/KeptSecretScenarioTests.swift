import APIClient
import Declarations
import Foundation
import SQLite
import Store
import SyncEngine
import Synchronization
import Tables
import TestSupport
import Testing
import Text

/// A server that repeats the query of a request in the address of the next page, as Django REST framework does.
private final class RepeatingServer: Transport {
    private let asked = Mutex<[String]>([])
    private let header: Bool

    init(header: Bool) { self.header = header }

    var targets: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        asked.withLock { $0.append(request.target) }
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        let page = query.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) } ?? 1
        let rest = query.filter { !$0.hasPrefix("page=") } + ["page=\(page + 1)"]
        let next =
            page < 3 ? "http://127.0.0.1:8080\(parts[0])?\(rest.joined(separator: "&"))" : nil
        let rows = #"[{"id":\#(page),"title":"note \#(page)"}]"#
        var fields = [HTTPField("ETag", "\"page-\(page)\"")]
        if header, let next { fields.append(HTTPField("Link", "<\(next)>; rel=\"next\"")) }
        if request.fields.contains(where: { $0.isNamed("if-none-match") }) {
            return HTTPResponse(status: 304, fields: fields)
        }
        let body =
            header ? rows : #"{"results":\#(rows),"next":\#(next.map { "\"\($0)\"" } ?? "null")}"#
        return HTTPResponse(status: 200, fields: fields, body: Array(body.utf8))
    }
}

/// N1: what is kept is kept where others can read it.
@Suite struct KeptSecretScenarioTests {
    private static let secret = "k%eyof/forty two&bytes"

    /// Every text and every blob of the cache.
    private func kept(in store: CacheStore) async throws -> String {
        try await store.withConnection { connection in
            let tables = try connection.all(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'migration'
                """
            ) { $0.text(0) }
            return try tables.flatMap { table in
                try connection.all("SELECT * FROM \"\(table)\"") { row in
                    (0..<row.columnCount).map { "\(row.value($0))" }.joined(separator: " ")
                }
            }.joined(separator: "\n")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `N1: a credential in the query is in no table, and goes out once a request`(
        header: Bool, isWritten: Bool
    ) async throws {
        let world = try EngineWorld()
        let server = RepeatingServer(header: header)
        let declaration = try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "interval": "1m",
             "pages": \(header ? #""link""# : #"{"next": "$.next"}"#)\(header ? "" : #", "rows": "$.results""#),
             "columns": {"title": {"text": "$.title"\(isWritten ? #", "write": "create""# : "")}}
             \(isWritten ? #", "create": true"# : "")}
            """, name: "notes")
        let table = ListTable(declaration)
        try await world.store.bring(to: [table])
        let secrets = Secrets()
        let source = ListSource(
            table: table,
            client: ListClient(
                baseURL: try BaseURL("http://127.0.0.1:8080"),
                credential: .query(
                    name: "api_key", HeldSecret { () throws(APIError) in Self.secret }),
                fields: [], limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                userAgent: "", transport: server, secrets: secrets),
            lanes: ServerLanes(most: 4),
            writing: .init(account: world.account, timeout: .seconds(10)))
        for _ in 0..<2 {
            let report = try await world.run(
                ListName(kept: "notes"), .scheduled, on: try world.synchronizer(lists: [source])
            )
            #expect(report.state == .ok)
            world.time.advance(by: .seconds(120))
        }
        #expect(server.targets.count >= 6)
        for target in server.targets {
            #expect(target.components(separatedBy: "api_key=").count == 2, "\(target)")
        }
        let text = try await kept(in: world.store)
        #expect(text.contains("/notes?page=2"), "the validators of a page are kept: \(text)")
        #expect(!text.contains("api_key"))
        for line in text.split(separator: "\n") {
            #expect(secrets.masked(foreign: String(line)) == String(line))
        }
    }
}
