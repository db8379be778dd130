import APIClient
import Foundation
import SQLite
import SyncEngine
import TestSupport
import Text

/// What became of a row, as far as anybody but syncd decides.
struct SinceFate {
    var isOurs: Bool
    /// A program or another client has deleted it.
    var mayBeGone = false
    /// The values that anybody has ever written.
    var values: Set<Int64> = []
    /// What the program wrote last, if nobody has written since.
    var wanted: Int64?
}

/// What programs and other clients do, and what must hold.
extension SinceRun {
    func program(_ random: SeededRandom) {
        // What is written beside a process that has died is not in the cache that comes back.
        guard !isDead else { return }
        let there = rows("SELECT _id, title FROM notes ORDER BY _id")
        let row = random.element(of: there)?.split(separator: "|").map { String($0) }
        written += 1
        let sql: String
        switch (random.index(6), row) {
        case (0, _), (1, _), (_, nil):
            made += 1
            sql = "INSERT INTO notes (title, value) VALUES ('T\(made)', \(written))"
            fates["T\(made)"] = SinceFate(isOurs: true, values: [written], wanted: written)
        case (2, let row?):
            sql = "DELETE FROM notes WHERE _id = \(row[0])"
            fates[row[1]]?.mayBeGone = true
        case (_, let row?):
            sql = "UPDATE notes SET value = \(written) WHERE _id = \(row[0])"
            fates[row[1]]?.values.insert(written)
            fates[row[1]]?.wanted = written
        }
        note(sql)
        do {
            try cache.with { try $0.execute(script: sql) }
        } catch {
            blame("REFUSED: \(sql): \(error)")
        }
    }

    /// Another client changes something.
    func change(_ random: SeededRandom) {
        written += 1
        let kinds = plan.unkindness
        var wait: Int64 = 0
        if kinds.contains(.lateBy40), random.happens(40) { wait = 40_000 }
        if kinds.contains(.lateBy600), random.happens(40) { wait = 600_000 }
        if kinds.contains(.clockJumps), random.happens(20) {
            server.drift = server.drift == 0 ? -3_600_000 : 0
        }
        let row = random.element(of: server.rows)
        switch (random.index(5), row) {
        case (0, _), (_, nil):
            made += 1
            let title = "o\(made)"
            let added = server.add(title, written, at: now, late: wait)
            fates[title] = SinceFate(isOurs: false, values: [written])
            if kinds.contains(.timeless), random.happens(30) { server.forgetMoment(of: added.id) }
            if kinds.contains(.farAhead), random.happens(20) { server.dateAhead(added.id) }
            note("another adds \(title)")
        case (1, let row?):
            _ = server.remove(row.id, at: now)
            fates[row.title]?.mayBeGone = true
            note("another deletes \(row.title)")
        case (_, let row?):
            let isStill = kinds.contains(.unmoved) && random.happens(40)
            _ = server.edit(row.id, to: written, at: now, late: wait, movesMoment: !isStill)
            fates[row.title]?.values.insert(written)
            fates[row.title]?.wanted = nil
            if kinds.contains(.falseTombstone), plan.setting.hasTombstones, random.happens(20) {
                server.buryFalsely(row.id)
            }
            note("another edits \(row.title) to \(written)")
        }
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
            for part in text.components(separatedBy: #"{"id":"#).dropFirst()
            where !part.contains(#""gone""#) {
                if let id = Int64(part.prefix { $0.isNumber }) { shown.insert(id) }
            }
        }
        var seen: Set<String> = []
        for row in server.rows where !seen.insert(row.title).inserted {
            blame("DOUBLED: \(row.title)")
        }
        return answer
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let parts = request.target.split(separator: "?", maxSplits: 1).map { String($0) }
        let query = parts.count > 1 ? Self.query(parts[1]) : [:]
        let id = parts[0].split(separator: "/").dropFirst().first.flatMap { Int64($0) }
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch (request.method, id) {
        case (.get, nil):
            return server.list(
                since: query["since"], from: query["offset"].flatMap { Int($0) } ?? 0, at: now)
        case (.get, let id?):
            guard let row = server.seen(at: now).first(where: { $0.id == id }) else {
                return HTTPResponse(status: 404)
            }
            return Self.json(200, server.text(row))
        case (.post, _):
            guard let title = Self.member("title", of: body),
                let value = Self.member("value", of: body).flatMap({ Int64($0) })
            else { return HTTPResponse(status: 400) }
            return Self.json(201, server.text(server.add(title, value, at: now)))
        case (.patch, let id?):
            guard let value = Self.member("value", of: body).flatMap({ Int64($0) }),
                let row = server.edit(id, to: value, at: now)
            else { return HTTPResponse(status: 404) }
            return Self.json(200, server.text(row))
        case (.delete, let id?):
            return HTTPResponse(status: server.remove(id, at: now) ? 204 : 404)
        default: return HTTPResponse(status: 405)
        }
    }

    private static func json(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8))
    }

    private static func query(_ text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "&").map { part in
                let pair = part.split(separator: "=", maxSplits: 1).map { String($0) }
                return (pair[0], (pair.count > 1 ? pair[1] : "").removingPercentEncoding ?? "")
            }
        ) { first, _ in first }
    }

    private static func member(_ name: String, of text: String) -> String? {
        guard let range = text.range(of: "\"\(name)\":") else { return nil }
        return text[range.upperBound...].prefix { $0 != "," && $0 != "}" }
            .trimmingCharacters(in: ["\"", " "])
    }

    // MARK: Laws

    /// Law 3: a change goes only after an answer of its cycle has shown the row.
    private func checkShown(_ request: HTTPRequest) {
        let id = request.target.split(separator: "/").dropFirst().first.flatMap { Int64($0) }
        guard let id, !shown.contains(id) else { return }
        blame(
            "UNSHOWN: \(request.method.rawValue) \(request.target), which this cycle has not seen")
    }

    /// No change at the server that the table lacks lies before the mark, where moments can be trusted.
    func checkMark() {
        guard plan.unkindness.allSatisfy(\.keepsMarks), plan.setting.moment != .token,
            let mark = rows("SELECT mark FROM sync_state WHERE list = 'notes'").first, mark != "-"
        else { return }
        let least = HumanTime.milliseconds(iso: mark).map { $0 / 1000 } ?? Int64(mark) ?? 0
        let known = Set(rows("SELECT document FROM s_notes"))
        let waiting = Set(rows("SELECT title FROM outbox") + rows("SELECT row_id FROM trail"))
        for row in server.rows {
            guard let moment = row.moment, moment < least, !waiting.contains(row.title),
                !known.contains(server.text(row))
            else { continue }
            let document = rows(
                "SELECT coalesce((SELECT document FROM s_notes WHERE server_id = '\(row.id)'), '-')"
            )
            blame("MARK: \(server.text(row)) lies before \(mark), and the cache has \(document)")
        }
    }

    /// A row that has been at the server all along, and that nobody here deleted, is in the table.
    func checkLiving() {
        let here = Set(rows("SELECT title FROM notes"))
        for row in server.rows {
            guard let fate = fates[row.title], !fate.mayBeGone else { continue }
            if here.contains(row.title) { living.insert(row.title) }
            guard living.contains(row.title), !here.contains(row.title) else { continue }
            blame("GONE: \(row.title) is at the server, and has left the table")
        }
    }

    /// No fault any more, and a person who asks until nothing changes.
    func heal() async {
        note("healing begins")
        server.unkindness = []
        server.drift = 0
        pass(700_000)
        var before: [String] = []
        var quiet = 0
        for round in 0..<24 {
            // The time for a whole list is over twice.
            if round == 8 || round == 16 { pass(7_300_000) }
            await cycle(SeededRandom(seed: plan.seed), isUnkind: false, isAsked: true)
            guard problems.isEmpty else { return }
            pass(61_000)
            let after = rows("SELECT seq, op, title, state FROM outbox ORDER BY seq")
            quiet = after == before ? quiet + 1 : 0
            if round > 18, quiet > 3 { break }
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
        let there = Dictionary(server.rows.map { ($0.title, $0) }) { first, _ in first }
        for (title, fate) in fates.sorted(by: { $0.key < $1.key }) {
            guard let row = there[title] else {
                if !fate.mayBeGone { blame("LOST: \(title)") }
                continue
            }
            if let wanted = fate.wanted, row.value != wanted, !told.contains(title) {
                blame("UNTOLD: \(title) is \(row.value) at the server, and \(wanted) was written")
            }
        }
        let ours = rows("SELECT _server_id, title, value FROM notes ORDER BY title")
        let theirs = server.rows.sorted { $0.title < $1.title }
            .map { "\($0.id)|\($0.title)|\($0.value)" }
        if ours != theirs { blame("UNEQUAL: here \(ours), there \(theirs)") }
    }
}
