import Foundation
import Glibc
import Testing

/// The metadata file for datasette against a real cache; datasette itself is not needed.
@Suite(.timeLimit(.minutes(2))) struct DatasetteExampleTests {
    private func database() throws -> [String: Any] {
        let file = URL(fileURLWithPath: DocumentExample.path("examples/datasette/metadata.json"))
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let databases = (root as? [String: Any])?["databases"] as? [String: Any]
        return try #require(databases?["cache"] as? [String: Any])
    }

    @Test func `every ready query runs`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let queries = try #require(try database()["queries"] as? [String: [String: String]])
        #expect(queries.count >= 4)
        for (name, query) in queries {
            let text = try #require(query["sql"])
            // Its page does not wrap them.
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(name)")
            // What datasette asks the person for.
            let sql = text.replacingOccurrences(of: ":words", with: "'x'")
            let ended = try await stage.syncd("query", "--json", sql)
            #expect(ended.code == 0, "\(name): \(ended.errors)")
            if !["waiting", "movie_news", "find_movies"].contains(name) {
                #expect(ended.output.count > 10, "\(name)")
            }
        }
    }

    @Test
    func
        `every table behind the views is shut, and so is each law, and none is named that is not there`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let tables = try #require(try database()["tables"] as? [String: [String: Any]])
        let hidden = tables.filter { $0.value["hidden"] as? Bool == true }.keys
        // A table that is only hidden is still what its page of the database proposes to read.
        for name in hidden { #expect(tables[name]?["allow"] as? Bool == false, "\(name)") }
        let found = try await stage.sqlite(
            """
            SELECT name FROM sqlite_master
            WHERE type = 'table' AND name NOT IN ('movies', 'todos') AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'
                OR name GLOB 'invariant_*'
            """)
        // SQLite makes those when it has counted what the indexes hold.
        let counts: Set = ["sqlite_stat1", "sqlite_stat4"]
        #expect(counts.isSubset(of: hidden))
        #expect(
            Set(hidden).subtracting(counts)
                == Set(found.output.split(separator: "\n").map(String.init)))
        let views = try await stage.sqlite(
            "SELECT name FROM sqlite_master WHERE type = 'view' OR name IN ('movies', 'todos')")
        let named = Set(views.output.split(separator: "\n").map(String.init))
        for name in tables.keys where !hidden.contains(name) { #expect(named.contains(name)) }
    }
}
