import APIClient
import Declarations
import FoundationEssentials
import Rules
import Store
import SyncEngine
import TestSupport
import Text

extension FuzzTarget {
    /// Bodies of pulls on their way into the cache: `t` or `m` for todos or movies, a byte whose
    /// bits say what is there before, then the bodies with FF between them: todos one pull each,
    /// movies the pages of one pull.
    ///
    /// Laws: what is refused changes no row; after every pull the cache is lawful and readable; the
    /// same list again changes nothing; SQLite and `JSONDecoder` read the same todos. The canonical form of a body is its
    /// own form.
    static let pulls = FuzzTarget("pulls") { bytes in
        guard bytes.count > 2 else { return }
        let bodies = bytes[2...].split(
            separator: 0xFF, maxSplits: 7, omittingEmptySubsequences: false
        ).map(Array.init)
        for body in bodies { try requireOneForm(of: body) }
        switch bytes[0] {
        case UInt8(ascii: "t"): try await pullTodos(bodies, after: bytes[1])
        case UInt8(ascii: "m"): try await pullMovies(bodies, after: bytes[1])
        default: return
        }
    }

    private static func requireOneForm(of body: [UInt8]) throws {
        guard let form = body.withUnsafeBufferPointer({ CanonicalJSON.form(of: $0) }) else {
            return
        }
        let again = form.withUnsafeBufferPointer { CanonicalJSON.form(of: $0) }
        try require(again == form, "the form of a form: \(String(decoding: form, as: UTF8.self))")
    }

    private static func pullTodos(_ bodies: [[UInt8]], after past: UInt8) async throws {
        let world = try FuzzWorld(ScriptedAnswers { _ in .json("[]") })
        try await world.prepareTodos(past)
        for body in bodies.prefix(3) {
            world.passAnHour()
            // Nothing gets out, so that only the pull changes rows.
            world.server.answer { request throws(TransportError) in
                guard request.method == .get else { throw .cannotConnect("no route") }
                return HTTPResponse(status: 200, body: body)
            }
            let before = try await world.content()
            let report = try await world.cycle(.todos)
            let after = try await world.content()
            guard report.hasPulled else {
                try require(before == after, "a refused list changes no row: \(after)")
                continue
            }
            if report.skipped.count == 0 { try await world.requireSameReading(of: body) }
            // Before the next pull, which is the second witness that ends a delete of an absent row.
            let isQuiet = try await world.rows("SELECT 1 FROM outbox").isEmpty
            world.passAnHour()
            try await world.cycle(.todos)
            let again = try await world.content()
            try require(!isQuiet || again == after, "the same list changes nothing: \(again)")
        }
    }

    private static func pullMovies(_ pages: [[UInt8]], after past: UInt8) async throws {
        let world = try FuzzWorld(ScriptedAnswers { _ in .json("{}") })
        if past & 1 == 1 {
            world.server.answer { _ in .json(Self.somePage(rows: past & 2 == 2 ? 12 : 2)) }
            try await world.cycle(.movies)
            world.passAnHour()
        }
        world.server.answer { request in
            let number = Int(request.target.split(separator: "page=").last ?? "") ?? 0
            guard pages.indices.contains(number - 1) else { return HTTPResponse(status: 404) }
            return HTTPResponse(status: 200, body: pages[number - 1])
        }
        let before = try await world.content()
        let report = try await world.cycle(.movies)
        let first = try await world.content()
        guard report.hasPulled else {
            return try require(before == first, "a refused pull changes no row: \(first)")
        }
        // What a single pull in pages does not show leaves with the second.
        world.passAnHour()
        try await world.cycle(.movies)
        let after = try await world.content()
        world.passAnHour()
        try await world.cycle(.movies)
        let isComplete = try await !world.rows(
            "SELECT 1 FROM sync_status WHERE list = 'movies' AND complete = 1"
        ).isEmpty
        let again = try await world.content()
        try require(!isComplete || again == after, "the same pages change nothing: \(again)")
    }

    private static func somePage(rows: Int) -> String {
        let results = (1...rows).map { "{\"id\":\($0),\"title\":\"Movie \($0)\"}" }
        return "{\"page\":1,\"results\":[\(results.joined(separator: ","))],"
            + "\"total_pages\":1,\"total_results\":\(rows)}"
    }
}

extension FuzzWorld {
    /// Bit 0: rows are pulled already, bit 1: more than ten, bit 2: a create is in doubt, bit 3: a
    /// delete is in doubt, bit 4: a create is queued, bit 5: a delete is queued.
    fileprivate func prepareTodos(_ past: UInt8) async throws {
        let titles = ["milk", "bread"] + (past & 2 == 2 ? (3...12).map { "todo \($0)" } : [])
        let rows = titles.enumerated().map { "{\"id\":\($0 + 1),\"title\":\"\($1)\"}" }
        let list = past & 1 == 1 ? "[\(rows.joined(separator: ","))]" : "[]"
        server.answer { request in
            request.method == .get ? .json(list) : HTTPResponse(status: 502)
        }
        try await cycle(.todos)
        if past & 4 == 4 { _ = try await store.addTodos(["eggs"]) }
        if past & 8 == 8 { try await remove("milk") }
        if past & 12 != 0 { try await cycle(.todos) }
        if past & 16 == 16 { _ = try await store.addTodos(["eggs", "tea"]) }
        if past & 32 == 32 { try await remove("bread") }
    }

    private func remove(_ title: String) async throws {
        let row = try await store.todos(search: nil).first { $0.title == title }
        if let row { try await store.removeTodos([row.id]) }
    }

    /// What both readers take, they read as the same rows.
    fileprivate func requireSameReading(of body: [UInt8]) async throws {
        var checked = body
        try BodyCheck.run(&checked, maxDepth: BodyCheck.standardDepth)
        // Not every list of the cache is one of the strict decoder: a body that it refuses tells
        // nothing here.
        guard let todos = try? JSONDecoder().decode([Todo].self, from: Data(checked)) else {
            return
        }
        // By bytes: two texts that differ can be equal to Swift.
        let expected = Set(todos.map { Array("\($0.id?.text ?? "-")|\($0.title)".utf8) })
        let cached = try await rows(
            "SELECT server_id, title FROM \(EveryTodo.rows) WHERE server_id IS NOT NULL"
        ).map { Array($0.utf8) }
        // What has an operation stays until a second list agrees that it is gone.
        let open = try await rows(
            """
            SELECT server_id, title FROM \(EveryTodo.rows) WHERE server_id IS NOT NULL
                AND id IN (SELECT row_id FROM operation)
            """
        ).map { Array($0.utf8) }
        let isSame = Set(cached).subtracting(Set(open).subtracting(expected)) == expected
        try require(
            isSame && Set(cached).count == cached.count,
            "both readers see the same: \(todos), \(cached.map { String(decoding: $0, as: UTF8.self) })"
        )
    }
}
