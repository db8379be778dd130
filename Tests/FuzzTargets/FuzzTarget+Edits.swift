import APIClient
import Declarations
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport

extension FuzzTarget {
    /// An edit of a row, and its answer. First `p` for a PATCH of what changed, `c` for one with a place for the
    /// column, or `d` for a PUT of the whole document. Then three parts with FF between them: a value of the row as JSON, the new title, and the answer
    /// as in ``answers``.
    ///
    /// Laws: the edit is sent once, or again where it came too soon (429), and says the title, and of the rest
    /// nothing or all. A whole row that has U+0000 or half a pair of surrogates is never sent. It ends as the table of outcomes says. While it waits, the row shows it. What the server
    /// has instead of it is on record. Texts that are kept are safe and hold no secret.
    static let edits = FuzzTarget("edits") { bytes in
        let parts = bytes.dropFirst().split(
            separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
        guard let kind = bytes.first, let declaration = declaration(kind), parts.count == 3,
            let title = String(validating: parts[1], as: UTF8.self),
            let answer = FuzzedAnswer(parts[2])?.response
        else { return }
        let list = "[{\"id\":7,\"title\":\"milk\",\"x\":"
        let body = Array(list.utf8) + parts[0] + Array("}]".utf8)
        let table = ListTable(try Declaration.stored(declaration, name: "notes"))
        let server = ScriptedAnswers { request in
            request.method == .get ? HTTPResponse(status: 200, body: body) : answer
        }
        let world = try FuzzWorld(server, list: table)
        try await world.store.bring(to: [table])
        try await world.cycle(table.declaration.name)
        guard try await world.rows("SELECT title FROM notes") == ["milk"],
            try await world.edits(to: title)
        else { return }
        let document = try await world.rows("SELECT document FROM s_notes")[0]
        world.passAnHour()
        try await world.cycle(table.declaration.name)
        if kind == whole, document.contains(mended) {
            try await world.requireUnsent()
        } else {
            try await world.requireSent(
                title, in: document, after: answer, isWhole: kind == whole)
            try await world.requireEnd(of: title, after: answer)
        }
        try await world.requireSafeReasons()
    }

    private static let whole = UInt8(ascii: "d")
    /// Stands in a document for U+0000 and for half a pair.
    private static let mended = "\\uFFFd"

    private static func declaration(_ kind: UInt8) -> String? {
        let update: String
        switch kind {
        case UInt8(ascii: "p"): update = "true"
        case UInt8(ascii: "c"): update = #"{"body": {"title": "{title}"}}"#
        case whole: update = #"{"method": "PUT", "body": "@document"}, "read": {"row": "$[0]"}"#
        default: return nil
        }
        return """
            {"list": "/lists/notes", "id": "$.id", "pages": "none", "update": \(update),
             "columns": {"title": {"text": "$.title", "write": "update"}, "x": "json $.x"}}
            """
    }
}

extension FuzzWorld {
    /// Whether a program can write the title, and it is an edit.
    fileprivate func edits(to title: String) async throws -> Bool {
        try await store.withConnection { connection in
            // What the table refuses is no edit.
            _ = try? connection.run("UPDATE notes SET title = ?", .text(title))
            return try connection.count("SELECT count(*) FROM operation") == 1
        }
    }

    fileprivate func requireSent(
        _ title: String, in document: String, after answer: HTTPResponse, isWhole: Bool
    ) async throws {
        let writes = server.requests.filter { $0.method != .get }
        let allowed = answer.status == 429 ? 1...7 : 1...1
        try require(
            allowed.contains(writes.count), "an edit is sent \(allowed) times: \(writes.count)")
        for write in writes {
            let body = String(decoding: write.body ?? [], as: UTF8.self)
            let rest = isWhole ? document : "{}"
            let different = try await store.withConnection { connection in
                try connection.count(
                    Self.difference, .text(body), .text(rest), .text(title))
            }
            try require(different == 0, "\(title) in \(rest) is sent, not \(body)")
        }
    }

    /// How many values `?1` and the document `?2` with the title `?3` do not have in common. A text is the same
    /// however it is escaped.
    private static let difference = """
        WITH sent AS (SELECT key, type, atom FROM json_tree(?1)),
            due AS (SELECT key, type, atom FROM json_tree(json_set(json(?2), '$.title', ?3)))
        SELECT (SELECT count(*) FROM (SELECT * FROM sent EXCEPT SELECT * FROM due))
            + (SELECT count(*) FROM (SELECT * FROM due EXCEPT SELECT * FROM sent))
        """

    fileprivate func requireUnsent() async throws {
        try require(
            server.requests.allSatisfy { $0.method == .get }, "what cannot be written back is sent")
        let reasons = try await rows("SELECT last_error FROM outbox WHERE state = 'rejected'")
        try require(
            reasons.count == 1 && reasons[0].contains("cannot write back"),
            "it is rejected, and says why: \(reasons)")
    }

    fileprivate func requireEnd(of title: String, after answer: HTTPResponse) async throws {
        let state = try await rows("SELECT state FROM outbox").first ?? "done"
        let shown = try await rows("SELECT hex(title) FROM notes")
        let expected = Self.states(after: answer)
        try require(expected.contains(state), "\(answer.status) leads to \(expected): \(state)")
        let conflicts = try await rows("SELECT why, hex(mine), hex(theirs) FROM conflicts")
        let own = title.utf8.map { byte in
            let digits = Array("0123456789ABCDEF")
            return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
        if state != "done" {
            try require(shown == [own] && conflicts.isEmpty, "an open edit is shown: \(shown)")
        } else if conflicts.isEmpty {
            // What the server made of it is told by its answer alone.
            try require(
                shown == [own] || !answer.body.isEmpty, "the row shows what was sent: \(shown)")
        } else {
            try require(
                conflicts == ["not taken|\(own)|\(shown[0])"], "both are on record: \(conflicts)")
        }
    }

    private static func states(after answer: HTTPResponse) -> Set<String> {
        switch answer.status {
        case 200...299:
            let start = answer.body.drop {
                [0x20, 0x09, 0x0D, 0x0A, 0xEF, 0xBB, 0xBF].contains($0)
            }
            return start.first == UInt8(ascii: "<") ? ["in doubt"] : ["done", "acknowledged"]
        case 301, 307, 308, 401, 405, 407, 421, 423, 425, 429: return ["queued"]
        case 404, 408, 409, 410: return ["in doubt"]
        case 400...499: return ["rejected"]
        default: return ["in doubt"]
        }
    }

    fileprivate func requireSafeReasons() async throws {
        for text in try await rows("SELECT last_error FROM outbox WHERE last_error IS NOT NULL") {
            try Hazard.requireNone(in: text, "a kept reason")
            try require(text.utf8.count <= 1000, "a kept reason is short, not \(text.utf8.count)")
            try require(!text.contains(Self.token), "a reason holds no secret: \(text)")
        }
    }
}
