import APIClient
import APIClientTesting
import Declarations
import Foundation
import Rules
import SQLite
import Store
import SyncEngine
import Tables
import Testing
import Text

/// The declarations in examples/lists/below, each beside the list above it, with answers of their server.
@Suite struct `the example of a list below rows` {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let examples = top.appending(path: "examples/lists")
    private static let below = examples.appending(path: "below")
    private static let answers = top.appending(path: "Tests/SyncEngineTests/Examples/below")

    /// What the server answers, and the rows that the table has then: the values of the declared columns, in their
    /// order. Instead of the first one, it is what the server calls the row above.
    private struct Fixture: Decodable {
        struct Answer: Decodable {
            let target: String
            let status: Int?
            let headers: [String: String]
            let body: String
        }

        /// The file of the list above, and the name that its table has to have.
        let above: String
        let named: String
        let answers: [Answer]
        let columns: [String]
        let rows: [[String]]
    }

    /// What a file says of its server.
    private struct Named: Decodable { let server: String }

    /// The section of a configuration.
    private struct Configuration: Decodable {
        struct Server: Decodable { let baseURL: String }

        let servers: [String: Server]
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ file: URL) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }

    private static func fixture(_ name: String) throws -> Fixture {
        try decoded(Fixture.self, answers.appending(path: name + ".json"))
    }

    private static func declaration(_ path: String, named name: String) throws -> Declaration {
        let file = examples.appending(path: path + ".json")
        return try Declaration.read(
            Array(Data(contentsOf: file)), name: ListName(name), rules: .examples
        ).declaration
    }

    private static let all = (try? names(in: answers)) ?? []

    @Test func `has answers, and a list above it`() throws {
        #expect(Self.all.count == 5)
        let above = try Self.all.map { try Self.fixture($0).above }
        let wanted = Self.all.map { "below/" + $0 } + above.filter { $0.hasPrefix("below/") }
        let files = try Self.names(in: Self.below).map { "below/" + $0 }
        #expect(Set(files) == Set(wanted + ["below/servers"]))
    }

    @Test(arguments: all) func `is accepted, and reads the rows of every part`(
        name: String
    ) async throws {
        let fixture = try Self.fixture(name)
        let lists = [
            try Self.declaration(fixture.above, named: fixture.named),
            try Self.declaration("below/" + name, named: "rows_below"),
        ]
        let tables = try lists.map { ListTable(try $0.referring(to: lists)) }
        let world = try EngineWorld()
        try await world.store.bring(to: tables)
        let mock = MockTransport { Issue.record("\($0)") }
        for answer in fixture.answers {
            mock.on(
                .get, answer.target,
                .json(
                    answer.body, status: answer.status ?? 200,
                    fields: answer.headers.sorted { $0.key < $1.key }.map { HTTPField($0, $1) }))
        }
        let named = try Self.decoded(Named.self, Self.below.appending(path: name + ".json"))
        let servers = try Self.decoded(
            Configuration.self, Self.below.appending(path: "servers.json")
        ).servers
        let base = try #require(servers[named.server]).baseURL
        let path = String(base.trimmingPrefix(/https?:\/\/[^\/]*/))
        let account = world.account
        let sources = try tables.map { table in
            ListSource(
                table: table,
                client: ListClient(
                    baseURL: try BaseURL("http://127.0.0.1:8080" + path),
                    credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
                    limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                    userAgent: "", transport: mock, secrets: Secrets()),
                lanes: ServerLanes(most: 4),
                writing: .init(account: account, timeout: .seconds(10)))
        }
        let engine = try world.synchronizer(lists: sources)
        for list in [fixture.named, "rows_below"] {
            let report = try await world.run(ListName(kept: list), .scheduled, on: engine)
            #expect(report.state == .ok, "\(report)")
            #expect(report.error == nil)
            #expect(report.skipped == .none)
        }
        let declared = lists[1].columns.filter { $0.field != nil }.map(\.name)
        #expect(declared == fixture.columns)
        let columns = declared.dropFirst().map { ", r.\"\($0)\"" }.joined()
        let rows = try await world.store.withConnection { connection in
            try connection.all(
                """
                SELECT a._server_id\(columns) FROM rows_below AS r
                JOIN "\(fixture.named)" AS a ON a._id = r."\(fixture.columns[0])" ORDER BY r._id
                """
            ) { row in
                (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }
            }
        }
        #expect(rows == fixture.rows)
    }
}

extension ServerDescription.Rules {
    fileprivate static let examples = Self(problem: { _ in nil }, isOwnMachine: { _ in false })
}
