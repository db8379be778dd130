import APIClient
import Foundation
import SQLite
import SyncEngine
import TestSupport

/// What programs and other clients do, and what must hold.
extension PartsRun {
    func program(_ random: SeededRandom) {
        // What is written beside a process that has died is not in the cache that comes back.
        guard !isDead else { return }
        let above = rows("SELECT _id FROM above ORDER BY _id")
        let notes = rows("SELECT _id, title FROM notes ORDER BY _id")
        let row = random.element(of: notes)?.split(separator: "|").map { String($0) }
        written += 1
        let sql: String
        switch (random.index(10), random.element(of: above), row) {
        case (0, _, _), (_, nil, _):
            made += 1
            sql = """
                BEGIN; INSERT INTO above (title) VALUES ('A\(made)');
                INSERT INTO notes (parent, title, value)
                SELECT _id, 'T\(made)', \(written) FROM above WHERE title = 'A\(made)'; COMMIT
                """
            fates["T\(made)"] = PartsFate(wanted: written)
        case (1, let above?, _):
            sql = "DELETE FROM above WHERE _id = \(above)"
            loseBelow("SELECT title FROM notes WHERE parent = \(above)")
        case (2, let above?, _), (3, let above?, _), (4, let above?, _), (_, let above?, nil):
            made += 1
            sql =
                "INSERT INTO notes (parent, title, value) VALUES (\(above), 'T\(made)', \(written))"
            fates["T\(made)"] = PartsFate(wanted: written)
        case (5, _, let row?):
            sql = "DELETE FROM notes WHERE _id = \(row[0])"
            fates[row[1]]?.mayBeGone = true
        case (_, _, let row?):
            sql = "UPDATE notes SET value = \(written) WHERE _id = \(row[0])"
            fates[row[1]]?.wanted = written
        }
        note(sql)
        do {
            try cache.with { try $0.execute(script: sql) }
        } catch {
            blame("REFUSED: \(sql): \(error)")
        }
    }

    private func loseBelow(_ titles: String) {
        for title in rows(titles) { fates[title]?.mayBeGone = true }
    }

    /// Another client changes something.
    func change(_ random: SeededRandom) {
        written += 1
        let kinds = plan.unkindness
        let isSilent = kinds.contains(.silent) && random.happens(50)
        let row = random.element(of: server.rows)
        let above = random.element(of: server.above)
        switch (random.index(9), above, row) {
        case (0, _, _), (_, nil, _):
            made += 1
            note("another adds \(server.addAbove("o\(made)").title)")
        case (1, let above?, _):
            remove(above.id)
            note("another deletes \(above.title)")
        case (2, let above?, _), (3, let above?, _), (_, let above?, nil):
            made += 1
            let wait: Int64 = kinds.contains(.slowCreates) && random.happens(40) ? 40_000 : 0
            _ = server.add(
                "n\(made)", written, below: above.id, from: now + wait, isSilent: isSilent)
            fates["n\(made)"] = PartsFate()
            note("another adds n\(made) below \(above.title)")
        case (4, _, let row?):
            _ = server.remove(row.id, isSilent: isSilent)
            fates[row.title]?.mayBeGone = true
            note("another deletes \(row.title)")
        case (5, let above?, let row?), (6, let above?, let row?):
            guard mayMove(row), row.above != above.id else { return }
            let wait: Int64 = kinds.contains(.slowMoves) && random.happens(60) ? 100_000 : 0
            server.move(row.id, to: above.id, until: now + wait, isSilent: isSilent)
            moving.insert(row.title)
            note("another moves \(row.title) to \(above.title)")
        case (_, _, let row?):
            _ = server.edit(row.id, to: written, isSilent: isSilent)
            fates[row.title]?.wanted = nil
            note("another edits \(row.title) to \(written)")
        }
    }

    /// A row that moves again before it was seen can be missed at every place. One whose create is in doubt is looked for
    /// where it was sent.
    private func mayMove(_ row: PartsServer.Row) -> Bool {
        let place = rows(
            """
            SELECT above._server_id FROM notes JOIN above ON above._id = parent
            WHERE notes._server_id = '\(row.id)' AND notes._state = 'synced'
            """)
        if place == ["\(row.above)"] { moving.remove(row.title) }
        return place == ["\(row.above)"] && !moving.contains(row.title)
    }

    private func remove(_ above: Int64) {
        for title in server.removeAbove(above) ?? [] { fates[title]?.mayBeGone = true }
        loseBelow(
            "SELECT title FROM notes WHERE parent = (SELECT _id FROM above WHERE _server_id = '\(above)')"
        )
    }

    /// The server does what it is asked; syncd hears its answer, or does not.
    func serve(_ request: HTTPRequest, isHeard: Bool, isLate: Bool) -> HTTPResponse {
        if !isLate, request.method == .patch || request.method == .delete { checkShown(request) }
        var answer = answer(request)
        let text = String(decoding: answer.body, as: UTF8.self)
        if answer.body.first == UInt8(ascii: "[") {
            let mark = String(cache.runs, radix: 2) + "0" + String(repeating: "1", count: lives)
            answer.body += mark.utf8.map {
                $0 == UInt8(ascii: "1") ? UInt8(ascii: "\t") : UInt8(ascii: " ")
            }
        }
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        note(
            "\(request.method.rawValue) \(request.target) \(body): \(answer.status) \(text)\(isHeard ? "" : ", lost")"
        )
        if request.method == .get, isHeard {
            for part in text.components(separatedBy: #"{"id":"#).dropFirst() {
                if let id = Int64(part.prefix { $0.isNumber }) { shown.insert(id) }
            }
        }
        var seen: Set<String> = []
        for title in server.rows.map(\.title) + server.above.map(\.title)
        where !seen.insert(title).inserted {
            blame("DOUBLED: \(title)")
        }
        return answer
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let target = request.target.split(separator: "?", maxSplits: 1).map { String($0) }
        let path = target[0].split(separator: "/").map { String($0) }
        let offset = target.count > 1 ? Int(target[1].drop { $0 != "=" }.dropFirst()) ?? 0 : 0
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let above = path.count > 1 ? Int64(path[1]) ?? -1 : -1
        let id = path.count > 3 ? Int64(path[3]) ?? -1 : -1
        let row = server.rows.first { $0.id == id && $0.above == above }
        switch (request.method, path.count) {
        case (.get, 1): return server.listAbove()
        case (.get, 3): return server.list(below: above, from: offset, at: now)
        case (.get, 4): return row.map { Self.json(200, PartsServer.text($0)) } ?? Self.missing
        case (.post, 1):
            guard let title = Self.member("title", of: body) else { break }
            return Self.json(201, PartsServer.text(server.addAbove(title)))
        case (.post, 3):
            guard let title = Self.member("title", of: body),
                let value = Self.member("value", of: body).flatMap({ Int64($0) })
            else { break }
            return server.add(title, value, below: above, from: 0, isSilent: false)
                .map { Self.json(201, PartsServer.text($0)) } ?? Self.missing
        case (.patch, 4):
            guard let row, let value = Self.member("value", of: body).flatMap({ Int64($0) }),
                let edited = server.edit(row.id, to: value, isSilent: false)
            else { return Self.missing }
            return Self.json(200, PartsServer.text(edited))
        case (.delete, 2):
            guard server.above.contains(where: { $0.id == above }) else { return Self.missing }
            remove(above)
            return HTTPResponse(status: 204)
        case (.delete, 4):
            guard let row, server.remove(row.id, isSilent: false) else { return Self.missing }
            return HTTPResponse(status: 204)
        default: break
        }
        return HTTPResponse(status: 400)
    }

    private static let missing = HTTPResponse(status: 404)

    private static func json(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8))
    }

    private static func member(_ name: String, of text: String) -> String? {
        guard let range = text.range(of: "\"\(name)\":") else { return nil }
        return text[range.upperBound...].prefix { $0 != "," && $0 != "}" }
            .trimmingCharacters(in: ["\"", " "])
    }

    // MARK: Laws

    /// A change goes only after an answer of its cycle has shown the row.
    private func checkShown(_ request: HTTPRequest) {
        let id = request.target.split(separator: "/").last.flatMap { Int64($0) }
        guard let id, !shown.contains(id) else { return }
        blame(
            "UNSHOWN: \(request.method.rawValue) \(request.target), which this cycle has not seen")
    }

    /// A row that has been at the server all along, and that nobody has deleted, is in the table, under its number.
    func checkLiving() {
        var here: [String: String] = [:]
        for row in rows("SELECT title, _id FROM notes") {
            let parts = row.split(separator: "|").map { String($0) }
            here[parts[0]] = parts[1]
        }
        for row in server.rows {
            guard let fate = fates[row.title], !fate.mayBeGone else { continue }
            guard let number = fate.number else {
                fates[row.title]?.number = here[row.title]
                continue
            }
            guard let now = here[row.title] else {
                blame("GONE: \(row.title) is at the server, and has left the table")
                continue
            }
            if now != number { blame("NUMBER: \(row.title) was \(number), and is \(now)") }
        }
    }

    /// No fault any more, and a person who asks until nothing changes, and who drops what was rejected.
    func heal() async {
        note("healing begins")
        pass(700_000)
        var before: [String] = []
        var quiet = 0
        for round in 0..<40 {
            // The time for every part is over twice.
            if round == 8 || round == 16 { pass(7_300_000) }
            await cycles(SeededRandom(seed: plan.seed), isUnkind: false, isAsked: true)
            guard problems.isEmpty else { return }
            pass(61_000)
            let rejected = rows("SELECT title FROM outbox WHERE state = 'rejected'")
            if !rejected.isEmpty {
                for title in rejected { fates[title]?.mayBeGone = true }
                note("the person drops \(rejected)")
                do {
                    try cache.with {
                        try $0.execute(script: "DELETE FROM outbox WHERE state = 'rejected'")
                    }
                } catch {
                    blame("REFUSED: \(error)")
                }
            }
            let after = rows("SELECT seq, op, title, state FROM outbox ORDER BY seq")
            quiet = after == before ? quiet + 1 : 0
            if round > 22, quiet > 3 { break }
            before = after
        }
        checkEnd()
    }

    private func checkEnd() {
        let left = rows("SELECT title, op, state FROM outbox")
        if !left.isEmpty { blame("WAITS: \(left)") }
        let told = Set(
            rows("SELECT coalesce((SELECT title FROM notes WHERE _id = row_id), '') FROM conflicts")
        )
        let mine = Set(rows("SELECT mine FROM conflicts"))
        let there = Dictionary(server.rows.map { ($0.title, $0) }) { first, _ in first }
        for (title, fate) in fates.sorted(by: { $0.key < $1.key }) {
            guard let row = there[title] else {
                if !fate.mayBeGone { blame("LOST: \(title)") }
                continue
            }
            if let wanted = fate.wanted, row.value != wanted, !told.contains(title),
                !mine.contains("\(wanted)")
            {
                blame("UNTOLD: \(title) is \(row.value) at the server, and \(wanted) was written")
            }
        }
        let ours = rows(
            """
            SELECT above._server_id, notes._server_id, notes.title, value
            FROM notes LEFT JOIN above ON above._id = parent ORDER BY notes.title
            """)
        let theirs = server.rows.sorted { $0.title < $1.title }
            .map { "\($0.above)|\($0.id)|\($0.title)|\($0.value)" }
        if ours != theirs { blame("UNEQUAL: here \(ours), there \(theirs)") }
        let parts = rows("SELECT complete FROM sync_status WHERE list = 'notes'")
        if parts != ["1"] { blame("INCOMPLETE: \(rows("SELECT * FROM list_parts"))") }
    }
}
