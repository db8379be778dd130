import APIClient
import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport
import Testing
import Text

/// A declared list at the reference server.
final class ListWorld {
    let world: EngineWorld
    private(set) var source: ListSource?

    init(
        _ list: ReferenceList, pages: String,
        columns: String = #""title": {"text": "$.title", "required": true}"#, more: String = "",
        list path: String = "/lists/notes", longestPull: Duration = .seconds(60)
    ) async throws {
        world = try EngineWorld(longestPull: longestPull)
        world.server.withServer { $0.declaredLists["notes"] = list }
        try await declare(pages: pages, columns: columns, more: more, list: path)
    }

    /// The rows of a list that programs write to, in the order of their ids.
    func written() async throws -> [String] {
        try await rows(
            "SELECT _id, title, done, size, tags, _state, _server_id FROM notes ORDER BY _id")
    }

    /// What another program does.
    func write(_ sql: String) async throws {
        try await world.store.withConnection { try $0.execute(script: sql) }
    }

    /// The rows of the server, as it has them.
    var atServer: [String] {
        world.server.withServer { $0.declaredLists["notes"]?.rows ?? [] }
    }

    func declare(
        pages: String, columns: String = #""title": {"text": "$.title", "required": true}"#,
        more: String = "", list: String = "/lists/notes", id: String = "$.id",
        fields: [HTTPField] = [], token: String = "token"
    ) async throws {
        let wrapped = world.server.withServer { server in
            switch server.declaredLists["notes"]?.paging {
            case .next, .cursor, .page: true
            default: false
            }
        }
        let declaration = try Declaration.stored(
            """
            {"list": \(list.hasPrefix("/") ? "\"\(list)\"" : list), "id": "\(id)", "interval": "1m", "pages": \(pages),
             "columns": {\(columns)}\(wrapped ? #", "rows": "$.results""# : "")\(more)}
            """, name: "notes")
        let table = ListTable(declaration)
        try await world.store.bring(to: [table])
        source = ListSource(
            table: table,
            client: ListClient(
                baseURL: try BaseURL("http://127.0.0.1:8080"),
                credential: .bearer(HeldSecret { () throws(APIError) in token }), fields: fields,
                limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                userAgent: "", transport: world.server, secrets: Secrets()),
            lanes: ServerLanes(most: 4),
            writing: .init(account: world.account, timeout: .seconds(10)))
    }

    /// The server says whose the credential is.
    func ask(_ path: String, at id: String) throws {
        source?.whoami = WhoAmI(path: path, id: try JSONPath(id))
    }

    @discardableResult
    func sync(
        isLawful: Bool = true, because cause: CycleCause = .scheduled,
        then passing: Duration = .seconds(60)
    ) async throws -> CycleReport {
        let engine = try world.synchronizer(lists: [try #require(source)])
        let report = try await world.run(ListName(kept: "notes"), cause, on: engine)
        let violations = try await StoreInvariants.violations(in: world.store)
        #expect(violations.isEmpty == isLawful, "\(violations)")
        world.time.advance(by: passing)
        return report
    }

    func change(_ change: @Sendable (inout ReferenceList) -> Void) {
        world.server.withServer { server in
            if var list = server.declaredLists["notes"] {
                change(&list)
                server.declaredLists["notes"] = list
            }
        }
    }

    func rows(_ sql: String = "SELECT title FROM notes ORDER BY _rank") async throws -> [String] {
        try await world.store.withConnection { connection in
            try connection.all(sql) { row in
                (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
            }
        }
    }

    func isComplete() async throws -> Bool? {
        try await world.store.status().first { $0.list == "notes" }?.complete
    }
}
