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

/// Projects and their tasks, which can stand below one another, at a server with foreign keys.
final class RelatedWorld {
    let world: EngineWorld
    private var sources: [ListSource] = []

    /// The project 501, and below it the task 901.
    init(
        _ rule: ReferenceList.Parent.Rule = .restricts,
        project: String = #"{"row": "$.project_id", "of": "projects", "write": "both"}"#,
        parent: String = #"{"row": "$.parent_id", "of": "tasks", "write": "both"}"#,
        projects: [String] = [#"{"id":501,"title":"house"}"#],
        tasks: [String] = [#"{"id":901,"title":"paint","project_id":501,"parent_id":null}"#],
        number: String = "", calls: String = RelatedWorld.usualCalls, onDisk: Bool = false
    ) async throws {
        world = try EngineWorld(onDisk: onDisk)
        let title = #""title": {"text": "$.title", "write": "both", "required": true}"#
        world.server.withServer { server in
            var list = ReferenceList(rows: projects, paging: .none, size: 1000)
            list.isWritable = true
            server.declaredLists["projects"] = list
            list = ReferenceList(rows: tasks, paging: .none, size: 1000)
            list.isWritable = true
            list.parents = [
                .init(member: "project_id", list: "projects", rule: rule),
                .init(member: "parent_id", list: "tasks", rule: rule),
            ]
            server.declaredLists["tasks"] = list
        }
        let lists = [
            try Self.declaration("projects", columns: title + number),
            try Self.declaration(
                "tasks",
                columns: #"\#(title), "list": \#(project), "parent": \#(parent)"#,
                calls: calls),
        ]
        let tables = try lists.map { ListTable(try $0.referring(to: lists)) }
        try await world.store.bring(to: tables)
        sources = try tables.map(source)
    }

    static let usualCalls = #""create": true, "update": true, "delete": true"#

    private static func declaration(
        _ name: String, columns: String, calls: String = usualCalls
    ) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/lists/\(name)", "id": "$.id", "interval": "1m", \(calls), "columns": {\(columns)}}
            """, name: name)
    }

    private func source(_ table: ListTable) throws -> ListSource {
        ListSource(
            table: table,
            client: ListClient(
                baseURL: try BaseURL("http://127.0.0.1:8080"),
                credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
                limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                userAgent: "", transport: world.server, secrets: Secrets()),
            lanes: ServerLanes(most: 4),
            writing: .init(account: world.account, timeout: .seconds(10)))
    }

    /// Cycles of these lists, in this order.
    @discardableResult
    func sync(
        _ names: String..., then passing: Duration = .seconds(60)
    ) async throws -> [CycleReport] {
        let engine = try world.synchronizer(lists: sources)
        var reports: [CycleReport] = []
        for name in names {
            reports.append(try await world.run(ListName(kept: name), .scheduled, on: engine))
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

    /// The tasks as a program sees them with their projects.
    func tasks() async throws -> [String] {
        try await rows("SELECT title, list, parent, _state FROM tasks ORDER BY _id")
    }

    func outbox() async throws -> [String] {
        try await rows("SELECT op, list, title, state FROM outbox ORDER BY seq")
    }

    /// The rows of the server, as it has them.
    func atServer(_ list: String) -> [String] {
        world.server.withServer { $0.declaredLists[list]?.rows ?? [] }
    }

    /// Another client puts these rows there.
    func change(_ list: String, _ rows: [String]) {
        world.server.withServer { $0.declaredLists[list]?.rows = rows }
    }
}
