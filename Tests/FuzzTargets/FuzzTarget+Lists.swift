import APIClient
import Declarations
import Store
import SyncEngine
import Synchronization
import Tables

extension FuzzTarget {
    /// The answers to a declared list: `n`, `l`, `u`, `c`, `p` or `o` for the kind of its paging (none, link,
    /// a URL in the body, cursor, page, offset), then the bodies with FF between them, one for each
    /// request in turn. With `l`, a line before a body is its `Link`.
    ///
    /// Laws: What is refused changes no row. After every pull the cache is lawful, and columns are what the
    /// documents say. The same answers again change nothing if the list was complete. There are no more
    /// requests than answers, but one. No request leaves the server.
    static let lists = FuzzTarget("lists") { bytes in
        guard let kind = bytes.first, let pages = paging(kind) else { return }
        let answers = bytes.dropFirst().split(
            separator: 0xFF, maxSplits: 7, omittingEmptySubsequences: false
        ).map { response(Array($0), isLinked: kind == UInt8(ascii: "l")) }
        let table = ListTable(try Declaration.stored(declaration(pages), name: "notes"))
        let asked = Mutex(0)
        let world = try FuzzWorld(
            ScriptedAnswers { _ in
                let index = asked.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return answers.indices.contains(index) ? answers[index] : HTTPResponse(status: 404)
            }, list: table)
        try await world.store.bring(to: [table])
        let name = table.declaration.name
        let report = try await world.cycle(name)
        try require(asked.withLock { $0 } <= 2 * answers.count + 4, "a list of few answers ends")
        for request in world.server.requests {
            try require(
                request.origin == BaseURL.localhost.origin, "no link leads to another server")
        }
        let after = try await world.listContent()
        guard report.hasPulled else {
            return try require(after.isEmpty, "a refused list changes no row: \(after)")
        }
        asked.withLock { $0 = 0 }
        world.passAnHour()
        try await world.cycle(name)
        let isComplete = try await !world.rows(
            "SELECT 1 FROM sync_status WHERE list = 'notes' AND complete = 1"
        ).isEmpty
        let again = try await world.listContent()
        try require(!isComplete || again == after, "the same answers change nothing: \(again)")
    }

    private static func paging(_ kind: UInt8) -> String? {
        switch kind {
        case UInt8(ascii: "n"): #""none""#
        case UInt8(ascii: "l"): #""link""#
        case UInt8(ascii: "u"): #"{"next": "$.next"}"#
        case UInt8(ascii: "c"): #"{"cursor": "$.next", "as": "cursor"}"#
        case UInt8(ascii: "p"): #"{"page": "page", "pages": "$.pages", "rows": "$.total"}"#
        case UInt8(ascii: "o"): #"{"offset": "offset", "limit": ["limit", 2], "rows": "$.total"}"#
        default: nil
        }
    }

    private static func declaration(_ pages: String) -> String {
        """
        {"list": "/lists/notes", "id": "$.id", "rows": "$.rows", "pages": \(pages), "search": ["title"],
         "history": "due", "columns": {"title": {"text": "$.title", "required": true}, "n": "integer $.n",
         "x": "real $.n", "done": "boolean $.done", "tags": "json $.tags", "due": {"text": "$.a.due", "index": true}}}
        """
    }

    private static func response(_ bytes: [UInt8], isLinked: Bool) -> HTTPResponse {
        guard isLinked, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return HTTPResponse(status: 200, body: bytes)
        }
        let link = String(decoding: bytes[..<end], as: UTF8.self)
        return HTTPResponse(
            status: 200, fields: [HTTPField("Link", link)], body: Array(bytes[(end + 1)...]))
    }
}

extension FuzzWorld {
    fileprivate func listContent() async throws -> [String] {
        try await rows(
            "SELECT _id, _server_id, title, n, x, done, tags, due, _rank, _document FROM notes ORDER BY _id"
        )
    }
}
