import APIClient
import Declarations
import FoundationEssentials
import Store
import SyncEngine
import TestSupport

extension FuzzTarget {
    /// The answer to a create or a delete: `c` or `d`, the status, a line break, header lines, an
    /// empty line, the body.
    ///
    /// Laws: the write is sent once, or again if the server says that it came too soon. It ends as the table of outcomes
    /// says. The person's todo is never lost. Texts that are kept are safe, and hold no secret.
    static let answers = FuzzTarget("answers") { bytes in
        guard let kind = bytes.first, let answer = FuzzedAnswer(bytes.dropFirst()) else { return }
        switch kind {
        case UInt8(ascii: "c"): try await create(answer.response)
        case UInt8(ascii: "d"): try await delete(answer.response)
        default: return
        }
    }

    private static func create(_ answer: HTTPResponse) async throws {
        let world = try FuzzWorld(ScriptedAnswers { _ in .json("[]") })
        _ = try await world.store.addTodos(["milk"])
        world.server.script(write: answer, list: "[]")
        try await world.cycle(.todos)
        try world.requireFewWrites(after: answer)
        let rows = try await world.rows("SELECT state, server_id, title FROM todos")
        let state = try await world.rows("SELECT state FROM todos").first
        try require(rows.count == 1, "the todo stays: \(rows)")
        let expected = Outcome.ofCreate(answer)
        try require(
            expected.contains(state ?? "none"), "\(answer.status) leads to \(expected): \(rows)")
        if state != "synced" {
            try require(rows[0].hasSuffix("|-|milk"), "an open create is as it was: \(rows)")
        }
        try await world.requireSafeTexts()
    }

    private static func delete(_ answer: HTTPResponse) async throws {
        let list = "[{\"id\":7,\"title\":\"milk\"},{\"id\":8,\"title\":\"milk\"}]"
        let world = try FuzzWorld(ScriptedAnswers { _ in .json(list) })
        try await world.cycle(.todos)
        let todo = try await world.store.todos(search: nil)[0]
        try await world.store.removeTodos([todo.id])
        world.server.script(write: answer, list: list)
        world.passAnHour()
        try await world.cycle(.todos)
        try world.requireFewWrites(after: answer)
        let states = try await world.rows("SELECT state FROM operation")
        let rows = try await world.rows("SELECT server_id FROM \(EveryTodo.rows) ORDER BY id")
        let shown = try await world.rows("SELECT server_id FROM todos ORDER BY id")
        let state = states.first ?? "gone"
        let expected = Outcome.ofDelete(answer)
        try require(expected.contains(state), "\(answer.status) leads to \(expected): \(state)")
        try require(rows == ["7", "8"], "no row goes before a list lacks it: \(rows)")
        try require(
            shown == (state == "rejected" ? ["7", "8"] : ["8"]),
            "only the deleted row is hidden: \(shown)")
        try await world.requireSafeTexts()
    }
}

/// Status, header lines and body, as they stand in an input.
struct FuzzedAnswer {
    let response: HTTPResponse

    init?(_ bytes: some Collection<UInt8>) {
        var lines = ArraySlice(bytes)
        guard let status = Int(Self.line(&lines)), status.magnitude < 100_000 else { return nil }
        var fields: [HTTPField] = []
        while true {
            let line = Self.line(&lines)
            guard !line.isEmpty, fields.count < 32 else { break }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields.append(HTTPField(String(parts[0]), String(parts[1])))
        }
        response = HTTPResponse(status: status, fields: fields, body: Array(lines))
    }

    private static func line(_ bytes: inout ArraySlice<UInt8>) -> String {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        bytes = bytes.dropFirst(line.count + 1)
        return String(decoding: line, as: UTF8.self)
    }
}

/// The table of outcomes, told once more and apart from the engine.
private enum Outcome {
    static func ofCreate(_ answer: HTTPResponse) -> Set<String> {
        mayComeTooSoon(answer) ? ofCreateInTime(answer).union(["queued"]) : ofCreateInTime(answer)
    }

    static func ofDelete(_ answer: HTTPResponse) -> Set<String> {
        mayComeTooSoon(answer) ? ofDeleteInTime(answer).union(["queued"]) : ofDeleteInTime(answer)
    }

    /// Whether the answer can say that the write came too soon, and nothing was done. 429 says so, and so may a refusal with
    /// a time to wait. Necessary, not sufficient.
    static func mayComeTooSoon(_ answer: HTTPResponse) -> Bool {
        if answer.status == 429 { return true }
        guard (400...499).contains(answer.status), ![401, 408].contains(answer.status) else {
            return false
        }
        return answer.fields.contains { $0.isNamed("retry-after") }
    }

    private static func ofCreateInTime(_ answer: HTTPResponse) -> Set<String> {
        switch answer.status {
        case 204, 205: isPage(answer.body) ? ["in doubt"] : ["acknowledged"]
        case 200...299 where isPage(answer.body): ["in doubt"]
        case 200...299 where mayRefuse(answer.body): ["synced", "acknowledged", "rejected"]
        case 200...299: isTodo(answer.body) ? ["synced", "acknowledged"] : ["acknowledged"]
        case 401, 404, 405: ["queued"]
        default: ofOther(answer.status)
        }
    }

    private static func ofDeleteInTime(_ answer: HTTPResponse) -> Set<String> {
        switch answer.status {
        case 200...299 where isPage(answer.body): ["in doubt"]
        case 200...299 where mayRefuse(answer.body): ["acknowledged", "rejected"]
        case 200...299: ["acknowledged"]
        case 404, 410: ["in doubt"]
        case 401: ["queued"]
        default: ofOther(answer.status)
        }
    }

    private static func ofOther(_ status: Int) -> Set<String> {
        switch status {
        case 301, 307, 308, 407, 421, 423, 425, 429: ["queued"]
        case 408, 409: ["in doubt"]
        case 400...499: ["rejected"]
        default: ["in doubt"]
        }
    }

    /// Whether the body is a page of HTML: a byte order mark and white space can come before it.
    private static func isPage(_ body: [UInt8]) -> Bool {
        let start = body.drop { [0x20, 0x09, 0x0D, 0x0A, 0xEF, 0xBB, 0xBF].contains($0) }
        return start.first == UInt8(ascii: "<")
    }

    /// Whether the body can say that the server refuses. Necessary, not sufficient.
    private static func mayRefuse(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body, as: UTF8.self)
        return ["ok", "success", "error", "\\u"].contains { text.contains($0) }
    }

    /// Whether the body can be a todo at all: an object with a title. Necessary, not sufficient.
    private static func isTodo(_ body: [UInt8]) -> Bool {
        var body = body
        do {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
            return body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
        } catch {
            return false
        }
    }
}

extension ScriptedAnswers {
    fileprivate var writes: Int {
        requests.count { $0.method != .get && $0.target.hasPrefix("/todos") }
    }

    /// Every write gets `answer`, every read `list`, every login a fresh token.
    fileprivate func script(write answer: HTTPResponse, list: String) {
        self.answer { request in
            if request.method == .get { return .json(list) }
            if request.target == "/login" { return .json("{\"string\":\"another-canary-token\"}") }
            return answer
        }
    }
}

extension FuzzWorld {
    fileprivate func requireFewWrites(after answer: HTTPResponse) throws {
        let writes = server.writes
        let allowed = Outcome.mayComeTooSoon(answer) ? 1...7 : 1...1
        try require(allowed.contains(writes), "a write is sent \(allowed) times: \(writes)")
    }

    fileprivate func requireSafeTexts() async throws {
        let texts =
            try await rows("SELECT last_error FROM outbox WHERE last_error IS NOT NULL")
            + rows("SELECT last_error FROM sync_status WHERE last_error IS NOT NULL")
        for text in texts {
            try Hazard.requireNone(in: text, "a kept reason")
            try require(text.utf8.count <= 1000, "a kept reason is short, not \(text.utf8.count)")
            try require(!text.contains(Self.token), "a reason holds no secret: \(text)")
        }
    }
}
