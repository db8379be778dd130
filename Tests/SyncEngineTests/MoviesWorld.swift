import APIClient
import Declarations
import Foundation
import Store
import SyncEngine
import TestSupport
import Testing

/// Movies by their ids, on the pages that a test writes down.
final class MoviesWorld {
    let world: EngineWorld
    var language: String? = "en-US"
    var region: String?
    var credential = MoviesCredential.bearer("demo")

    init() throws { world = try EngineWorld() }

    var server: ScriptedServer { world.server }

    /// The list for ever: one array of rows for each page.
    func serve(
        _ pages: [Int]..., total: Int? = nil, results: Int? = nil, tag: String? = nil
    ) throws {
        server.mend()
        for (index, ids) in pages.enumerated() {
            let body = Self.page(
                index + 1, ids.map { Self.row($0) }, of: total ?? pages.count,
                results: results ?? pages.joined().count)
            let fields = tag.map { [HTTPField("ETag", "\"\($0)-\(index + 1)\"")] } ?? []
            server.always(
                Self.line(index + 1),
                .answers(HTTPResponse(status: 200, fields: fields, body: Array(body.utf8))))
        }
    }

    static func line(_ page: Int) -> String { "GET /3/movie/upcoming?page=\(page)&" }

    static func row(_ id: Int, title: String? = nil) -> String {
        #"{"id":\#(id),"title":"\#(title ?? "movie \(id)")","release_date":""}"#
    }

    static func page(_ number: Int, _ rows: [String], of total: Int, results: Int) -> String {
        """
        {"page":\(number),"results":[\(rows.joined(separator: ","))],"total_pages":\(total),\
        "total_results":\(results)}
        """
    }

    @discardableResult
    func sync(_ cause: CycleCause = .scheduled) async throws -> CycleReport {
        let source = ListSource.movies(
            at: try BaseURL("http://127.0.0.1:8080/3"), credential: credential,
            language: language, region: region,
            limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
            userAgent: "syncd-tests", over: server, interval: .seconds(3600))
        let report = try await world.run(
            .movies, cause, on: try world.synchronizer(lists: [source]))
        let violations = try await StoreInvariants.violations(in: world.store)
        #expect(violations.isEmpty)
        return report
    }

    /// The ids in the order of the list.
    func cached() async throws -> [Int64] {
        try await world.store.movies(from: nil, to: nil, limit: nil).map(\.id)
    }

    func status() async throws -> StatusRow { try await world.store.status()[0] }
}

@available(*, unavailable) extension MoviesWorld: Sendable {}
