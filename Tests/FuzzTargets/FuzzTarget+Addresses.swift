import APIClient
import Declarations
import Store
import Synchronization
import Tables
import Text

extension FuzzTarget {
    /// The address of the next page, as an answer names it: `l` or `u` for a `Link` field or a URL in the body; `n`, `b`,
    /// `h`, `q` or `p` for the kind of the credential (none, bearer, header, query, password); then the address, twice if
    /// there is an FF in it, for the page after that.
    ///
    /// Laws: no request leaves the server. Where the secret belongs into the query, it goes out once with each request.
    /// It is not in the cache, in any form in which it travels.
    static let addresses = FuzzTarget("addresses") { bytes in
        guard bytes.count > 2, let kind = kind(bytes[1]) else { return }
        let isLinked = bytes[0] == UInt8(ascii: "l")
        let addresses = bytes[2...].split(separator: 0xFF, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        let declaration = """
            {"list": "/lists/notes?active=1", "id": "$.id", "rows": "$.rows",
             "pages": \(isLinked ? #""link""# : #"{"next": "$.next"}"#), "columns": {"title": "text $.title"}}
            """
        let table = ListTable(try Declaration.stored(declaration, name: "notes"))
        let pages = Counter()
        let world = try FuzzWorld(
            ScriptedAnswers { _ in
                let number = pages.next()
                return page(
                    number, naming: addresses.indices.contains(number) ? addresses[number] : nil,
                    isLinked)
            }, list: table, credential: kind)
        try await world.store.bring(to: [table])
        for _ in 0..<2 {
            pages.begin()
            try await world.cycle(table.declaration.name)
            world.passAnHour()
        }
        for request in world.server.requests {
            try require(
                request.origin == BaseURL.localhost.origin, "no address leads to another server")
            guard case .query = kind else { continue }
            let names = request.target.split(separator: "?", maxSplits: 1).dropFirst().joined()
                .split(separator: "&").map { $0.prefix { $0 != "=" } }
            try require(
                names.count {
                    PercentEncoding.decoded(ArraySlice($0.utf8)) == Array(parameter.utf8)
                } == 1,
                "the secret goes out once: \(request.target)")
        }
        for text in try await world.everything() {
            try require(
                world.secrets.masked(foreign: text) == text, "no secret is kept: \(text)")
        }
    }

    private static let parameter = "api_key"

    private static func kind(_ byte: UInt8) -> ListCredential? {
        let secret = HeldSecret { () throws(APIError) in FuzzWorld.token }
        return switch byte {
        case UInt8(ascii: "n"): ListCredential.none
        case UInt8(ascii: "b"): .bearer(secret)
        case UInt8(ascii: "h"): .header(name: "X-Key", prefix: "", secret)
        case UInt8(ascii: "q"): .query(name: parameter, secret)
        case UInt8(ascii: "p"): .basic(user: "eve", secret)
        default: nil
        }
    }

    private static func page(_ number: Int, naming address: String?, _ isLinked: Bool)
        -> HTTPResponse
    {
        var next = Array("null".utf8)
        if !isLinked, let address {
            next = []
            JSONText.append(address, to: &next)
        }
        var fields = [HTTPField("ETag", "\"\(number)\"")]
        if isLinked, let address { fields.append(HTTPField("Link", "<\(address)>; rel=\"next\"")) }
        return HTTPResponse(
            status: 200, fields: fields,
            body: Array(#"{"rows":[{"id":\#(number + 1),"title":"a"}],"next":"#.utf8) + next
                + Array("}".utf8))
    }
}

/// Counts the pages of a cycle.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func begin() { count.withLock { $0 = 0 } }

    /// From 0.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

extension FuzzWorld {
    /// Every value of every table.
    fileprivate func everything() async throws -> [String] {
        let tables = try await rows(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'migration'
            """)
        var texts: [String] = []
        for table in tables { texts += try await rows("SELECT * FROM \"\(table)\"") }
        return texts
    }
}
