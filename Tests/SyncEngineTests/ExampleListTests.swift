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

/// The declarations in examples/lists, each with an answer of its server.
@Suite struct `the example of a declared list` {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let examples = top.appending(path: "examples/lists")
    private static let answers = top.appending(path: "Tests/SyncEngineTests/Examples")

    /// An answer as the server gives it, and the rows that the table has then: the values of the declared
    /// columns, in their order.
    private struct Fixture: Decodable {
        let target: String
        let headers: [String: String]
        /// Another page that syncd asks for; it is empty.
        let next: String?
        let body: String
        let columns: [String]
        let rows: [[String]]
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    private static let all = (try? names(in: examples)) ?? []

    @Test func `has an answer`() throws {
        #expect(Self.all.count == 14)
        #expect(try Self.names(in: Self.answers) == Self.all)
    }

    @Test func `asks for what has changed where its list shows closed rows, too`() throws {
        var asked: [String: String] = [:]
        for name in Self.all {
            let file = Self.examples.appending(path: name + ".json")
            let declaration = try Declaration.read(
                Array(Data(contentsOf: file)), name: ListName("notes"), rules: .examples
            ).declaration
            guard let since = declaration.since else { continue }
            asked[name] = since.query(of: declaration.list, from: "M")
            #expect(declaration.read != nil, "\(name)")
            // The answer that it is tried with has the moment.
            let fixture = try JSONDecoder().decode(
                Fixture.self, from: Data(contentsOf: Self.answers.appending(path: name + ".json")))
            let moment = try #require(since.moment.rowPath?.names?.last)
            #expect(fixture.body.contains("\"\(moment)\":\"20"), "\(name)")
        }
        #expect(
            asked == [
                "github-issues": "/repos/me/garden/issues?state=all&per_page=100&since=M",
                "gitea-issues": "/repos/me/garden/issues?state=all&type=issues&limit=50&since=M",
                "pocketbase":
                    "/api/collections/notes/records?perPage=200&sort=id&filter=(updated>='M')",
            ])
    }

    @Test(arguments: all) func `is accepted, and reads every row of the answer`(
        name: String
    ) async throws {
        let file = Self.examples.appending(path: name + ".json")
        let read = try Declaration.read(
            Array(Data(contentsOf: file)), name: ListName("notes"), rules: .examples)
        let server = try #require(read.server)
        let fixture = try JSONDecoder().decode(
            Fixture.self, from: Data(contentsOf: Self.answers.appending(path: name + ".json")))
        let world = try EngineWorld()
        let table = ListTable(read.declaration)
        try await world.store.bring(to: [table])
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(
            .get, fixture.target,
            .json(
                fixture.body,
                fields: fixture.headers.sorted { $0.key < $1.key }.map { HTTPField($0, $1) }))
        if let next = fixture.next { mock.on(.get, next, .json("[]")) }
        let path = String(server.baseURL.trimmingPrefix(/https?:\/\/[^\/]*/))
        let source = ListSource(
            table: table,
            client: ListClient(
                baseURL: try BaseURL("http://127.0.0.1:8080" + path),
                credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
                limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
                userAgent: "", transport: mock, secrets: Secrets()),
            lanes: ServerLanes(most: 4),
            writing: .init(account: world.account, timeout: .seconds(10)))
        let report = try await world.run(
            ListName(kept: "notes"), .scheduled, on: world.synchronizer(lists: [source]))
        #expect(report.state == .ok, "\(report)")
        #expect(report.skipped == .none)
        #expect(report.rows == Int64(fixture.rows.count))
        let declared = read.declaration.columns.filter { $0.field != nil }.map(\.name)
        #expect(declared == fixture.columns)
        let quoted = declared.map { "\"\($0)\"" }.joined(separator: ", ")
        let order = read.declaration.isReadOnly ? "_rank" : "_id"
        let rows = try await world.store.withConnection { connection in
            try connection.all("SELECT \(quoted) FROM notes ORDER BY \(order)") { row in
                (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }
            }
        }
        #expect(rows == fixture.rows)
    }
}

extension ServerDescription.Rules {
    fileprivate static let examples = Self(problem: { _ in nil }, isOwnMachine: { _ in false })
}
