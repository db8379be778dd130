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

/// Issues, and below each a list of comments of its own.
final class PartWorld {
    let world: EngineWorld
    private let sources: [ListSource]

    /// So many issues, called `a`, `b` and so on, with two comments each.
    init(
        issues: Int = 2, each: String = #""issue": "issues""#, path: String = "/lists/{issue.name}",
        identity: String = "", calls: String = PartWorld.usualCalls,
        body: String = #"{"text": "$.body", "write": "both", "required": true}"#
    ) async throws {
        world = try EngineWorld()
        let names = (0..<issues).map { Self.name($0) }
        world.server.withServer { server in
            var list = ReferenceList(
                rows: names.enumerated().map { Self.issue($0 + 1, $1) }, paging: .none, size: 1000)
            list.isWritable = true
            server.declaredLists["issues"] = list
            for (index, name) in names.enumerated() {
                var list = ReferenceList(
                    rows: [
                        Self.comment(100 + index * 10, "\(name)0"),
                        Self.comment(101 + index * 10, "\(name)1"),
                    ], paging: .none, size: 1000)
                list.isWritable = true
                server.declaredLists[name] = list
            }
        }
        let lists = [
            try Declaration.stored(
                """
                {"list": "/lists/issues", "id": "$.id", "interval": "1m", "create": true, "delete": true\(identity),
                "columns": {"name": {"text": "$.name", "write": "create", "required": true},
                    "touched": "integer $.touched"}}
                """, name: "issues"),
            try Declaration.stored(
                """
                {"list": "\(path)", "each": {\(each)}, "id": "$.id", "interval": "1m"\(calls),
                "columns": {"issue": "@issue", "body": \(body)}}
                """, name: "comments"),
        ]
        let tables = try lists.map { ListTable(try $0.referring(to: lists)) }
        try await world.store.bring(to: tables)
        let (account, transport) = (world.account, world.server)
        sources = try tables.map { table in
            ListSource(
                table: table,
                client: ListClient(
                    baseURL: try BaseURL("http://127.0.0.1:8080"),
                    credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
                    limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                    userAgent: "", transport: transport, secrets: Secrets()),
                lanes: ServerLanes(most: 4),
                writing: .init(account: account, timeout: .seconds(10)))
        }
    }

    static let usualCalls = #", "create": true, "update": true, "delete": true"#

    static func name(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index % 26)))
            + (index < 26 ? "" : "\(index / 26)")
    }

    static func issue(_ id: Int, _ name: String, touched: Int = 0) -> String {
        #"{"id":\#(id),"name":"\#(name)","touched":\#(touched)}"#
    }

    static func comment(_ id: Int, _ body: String) -> String { #"{"id":\#(id),"body":"\#(body)"}"# }

    /// Both lists.
    func engine() throws -> Synchronizer { try world.synchronizer(lists: sources) }

    /// Cycles of these lists, in this order.
    @discardableResult
    func sync(
        _ names: String..., because cause: CycleCause = .scheduled,
        then passing: Duration = .seconds(60)
    ) async throws -> [CycleReport] {
        let engine = try engine()
        var reports: [CycleReport] = []
        for name in names.isEmpty ? ["issues", "comments"] : names {
            reports.append(try await world.run(ListName(kept: name), cause, on: engine))
            let violations = try await StoreInvariants.violations(in: world.store)
            #expect(violations.isEmpty, "\(violations)")
        }
        world.time.advance(by: passing)
        return reports
    }

    /// What a program does.
    func write(_ sql: String) async throws {
        try await world.store.withConnection { try $0.execute(script: sql) }
    }

    func rows(_ sql: String) async throws -> [String] {
        try await world.store.withConnection { connection in
            try connection.all(sql) { row in
                (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
            }
        }
    }

    /// The comments as a program sees them.
    func comments() async throws -> [String] {
        try await rows("SELECT issue, body, _state FROM comments ORDER BY _id")
    }

    /// The rows of a list of the server, as it has them.
    func atServer(_ list: String) -> [String] {
        world.server.withServer { $0.declaredLists[list]?.rows ?? [] }
    }

    /// Another client puts these rows there; nil: the list is gone.
    func change(_ list: String, _ rows: [String]?) {
        world.server.withServer { server in
            if let rows {
                server.declaredLists[list]?.rows = rows
            } else {
                server.declaredLists[list] = nil
            }
        }
    }

    /// What was asked for since ``forget()``.
    var asked: [String] { world.server.lines.filter { $0.hasPrefix("GET /lists/") } }
    func forget() { world.server.forgetLines() }
}
