import SQLite

/// The rows that notes refer to, as programs see them. syncd never looks at this list, so what a program took back can
/// come back at any time.
struct ModelBooks {
    /// Those at the server, by their local numbers. Nothing of them is sent, so they stay there.
    static let served: Set<Int64> = [1, 2, 3]
    private(set) var shown = served
    /// Programs have deleted them or taken them back; their numbers can be used again.
    private var hidden: Set<Int64> = []
    private(set) var largestID: Int64 = 3

    /// What the server calls a book.
    static func serverID(of number: Int64) -> Int64 { number + 500 }

    /// The book that the server calls so, of a request.
    static func number(of serverID: Int64) -> Int64 { serverID - 500 }

    mutating func insert(_ id: Int64?, replaces: Bool) throws {
        guard let id else {
            largestID += 1
            shown.insert(largestID)
            return
        }
        if shown.contains(id) {
            if replaces { return }
            throw Refusal(.unique)
        }
        guard hidden.remove(id) != nil || id > largestID else { throw Refusal(.usedID) }
        shown.insert(id)
        largestID = max(largestID, id)
    }

    mutating func delete(_ id: Int64) {
        if shown.remove(id) != nil { hidden.insert(id) }
    }

    /// Makes those of the server.
    static func make(in cache: Connection) throws {
        try cache.run("UPDATE control SET applying = 'books'")
        for number in served.sorted() {
            let serverID = "\(serverID(of: number))"
            try cache.run(
                "INSERT INTO s_books (id, server_id, document) VALUES (?, ?, ?)", .integer(number),
                .text(serverID), .text("{\"id\":\(serverID),\"title\":\"x\"}"))
            try cache.run(
                """
                INSERT INTO books (id, title, _server_id, _state, _added_at)
                VALUES (?, 'x', ?, 'synced', '2026-01-01T00:00:00.000Z')
                """, .integer(number), .text(serverID))
        }
        try cache.run("UPDATE control SET applying = NULL")
    }
}
