import APIClient
import Foundation
import Host
import ReferenceAPI
import TestSupport

/// One request on its way: what a fault makes of it and its answer. Only what an honest server and
/// a bad network do: a status that says "not applied" is not sent after it was applied.
struct Delivery {
    let world: World
    let device: Device
    let request: HTTPRequest
    /// The request as the list of the world is asked; the same for the todos.
    let asked: HTTPRequest
    let shipment: Shipment?
    let random: SeededRandom
    /// The list in the answer is whole.
    var isWholeList = true
    /// The answer is the server's own.
    private(set) var isPlain = false
    /// The answer names a row by its id alone: syncd may take it for the row, or wait for a list.
    private(set) var isNamed = false
    /// The server has said yes, whatever it did.
    private(set) var isYes = false
    /// The list is valid, and not what the server has.
    var isWrongList = false
    /// The rows of the list, by id, as they were when it was made.
    var listed: [String: Int] = [:] { didSet { listedRows = listed.count } }
    /// All rows of the list, those too that can be none of ours.
    var listedRows = 0

    init(
        world: World, device: Device, request: HTTPRequest, asked: HTTPRequest,
        shipment: Shipment?, random: SeededRandom
    ) {
        self.world = world
        self.device = device
        self.request = request
        self.asked = asked
        self.shipment = shipment
        self.random = random
    }

    var isTodosList: Bool { request.method == .get && request.target == "/todos" }

    private mutating func apply() -> HTTPResponse {
        let answer = world.answer(
            request, actor: shipment.map { .todo($0.local) } ?? .otherClient)
        let behaviour = world.plan.setting.behaviour
        if isTodosList {
            listed = behaviour.pages == nil ? world.ledger.current : shown(in: answer)
            if behaviour.doubledRow != nil, !listed.isEmpty { listedRows += 1 }
        }
        return answer
    }

    mutating func plain() -> HTTPResponse {
        isPlain = true
        let answer = apply()
        isYes = (200..<300).contains(answer.status)
        return answer
    }

    /// 201 with the id, and nothing else of the row.
    private mutating func idOnly() -> HTTPResponse {
        guard shipment?.isCreate == true else { return plain() }
        var answer = apply()
        guard answer.status == 200,
            let row = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
            let id = row["id"]
        else { return answer }
        let body = try? JSONSerialization.data(withJSONObject: ["id": id])
        (answer.status, answer.body) = (201, body.map { Array($0) } ?? [])
        (isNamed, isYes) = (true, true)
        return answer
    }

    mutating func answer(_ fault: Fault?) throws(TransportError) -> HTTPResponse {
        if shipment != nil, let status = device.current?.step.firewall {
            return HTTPResponse(status: status, body: Array("<h1>go away</h1>".utf8))
        }
        switch fault {
        case nil: return plain()
        case .cannotConnect: throw .cannotConnect("refused")
        case .loseRequest: throw .interrupted("reset", mayHaveArrived: true)
        case .loseAnswer(let waits):
            _ = apply()
            if waits { world.clock.advance(by: request.timeout.wholeMilliseconds) }
            throw .timedOut(mayHaveArrived: true)
        case .applyLate:
            applyLater()
            throw .interrupted("reset", mayHaveArrived: true)
        case .delay(let milliseconds):
            let answer = plain()
            world.clock.advance(by: milliseconds)
            return answer
        case .duplicate:
            return duplicated()
        case .status(let code, let applied, let wait): return status(code, applied, wait)
        case .html(let applied):
            if applied { _ = apply() }
            return HTTPResponse(status: 200, body: Array("<html>please log in</html>".utf8))
        case .truncate: return try truncated()
        case .noContent(let applied): return noContent(applied)
        case .idOnly: return idOnly()
        case .spoiledRow: return spoiled(doubling: false)
        case .doubledRow: return spoiled(doubling: true)
        case .suspend:
            _ = apply()
            world.clock.advance(by: 8 * 3_600_000)
            throw .timedOut(mayHaveArrived: true)
        case .wrongList(let kind): return wrongList(kind)
        case .notThere(let code):
            guard request.method == .delete else { return plain() }
            return HTTPResponse(status: code, body: Array("<h1>not here</h1>".utf8))
        case .untitledRow:
            return inserted(#"{"id":"nobody's","title":null}"#)
        case .differingRows: return differing()
        }
    }

    /// At most two timeouts after the intent, which lies up to one timeout before the arrival.
    private func applyLater() {
        guard request.method.isWrite else { return }
        let latest = Setting.timeoutMilliseconds - 1
        world.late.append(
            World.LateRequest(
                request: request, device: device.number,
                actor: shipment.map { .todo($0.local) } ?? .otherClient,
                at: world.clock.now + random.number(upTo: latest)))
    }

    /// A write is safe to double only where a key makes it one, or where it names its row.
    private mutating func duplicated() -> HTTPResponse {
        let first = plain()
        guard request.method == .get || world.plan.setting.usesKeys else { return first }
        return request.method == .delete ? first : plain()
    }

    private mutating func status(_ code: Int, _ applied: Bool, _ wait: Int?) -> HTTPResponse {
        var code = code
        if code == 201 {
            var answer = plain()
            if answer.status == 200 { answer.status = 201 }
            return answer
        }
        let isAsked = request.fields.contains { $0.name.lowercased() == "if-none-match" }
        // What would be an honest "unchanged".
        if code == 304, isAsked { code = 500 }
        let mayBeApplied = Device.isDoubtful(code)
        if applied, mayBeApplied { _ = apply() }
        let fields = wait.map { [HTTPField("Retry-After", String($0))] } ?? []
        let body = Array(#"{"error":true,"reason":"not today"}"#.utf8)
        return HTTPResponse(status: code, fields: fields, body: body)
    }

    private mutating func truncated() throws(TransportError) -> HTTPResponse {
        let whole = apply()
        guard !whole.body.isEmpty else { throw .interrupted("closed", mayHaveArrived: true) }
        // Any success ends a delete, whatever is left of its body.
        isPlain = request.method == .delete
        let length = 1 + random.index(whole.body.count - 1)
        guard length < whole.body.count else {
            throw .interrupted("closed", mayHaveArrived: true)
        }
        isYes = (200..<300).contains(whole.status)
        return HTTPResponse(
            status: whole.status, fields: whole.fields, body: Array(whole.body.prefix(length)))
    }

    /// 204, or an empty 200: what a DELETE may really answer, so it gets the true answer.
    private mutating func noContent(_ applied: Bool) -> HTTPResponse {
        guard request.method != .delete else { return plain() }
        if applied { _ = apply() }
        isYes = true
        return HTTPResponse(status: random.happens(50) ? 204 : 200)
    }

    /// The first row of a list has no usable id, or is there twice.
    private mutating func spoiled(doubling: Bool) -> HTTPResponse {
        var answer = plain()
        guard request.method == .get, answer.status == 200,
            let text = String(validating: answer.body, as: UTF8.self)
        else { return answer }
        let opening = isTodosList ? "[" : "\"results\":["
        guard let start = text.range(of: opening)?.upperBound,
            let end = text[start...].firstIndex(of: "}"), text[start] == "{"
        else { return answer }
        let row = String(text[start...end])
        if doubling {
            answer.body = Array((text[..<start] + row + "," + text[start...]).utf8)
            listedRows += 1
            return answer
        }
        guard let id = row.firstRange(of: #"\"id\":[^,}]*"#) else { return answer }
        isWholeList = false
        let spoiled = row.replacingCharacters(in: id, with: "\"id\":null")
        answer.body = Array((text[..<start] + spoiled + text[text.index(after: end)...]).utf8)
        answer.fields.removeAll { $0.name.lowercased() == "etag" }
        // It may stand there a second time.
        let rest = text[text.index(after: end)...]
        if isTodosList, !rest.contains(row) { forget(row) }
        return answer
    }

    private mutating func forget(_ row: String) {
        defer { listedRows += 1 }
        listed = listed.filter { id, number in
            !row.contains("\"id\":\(id),") && !row.contains("\"id\":\"\(id)\"")
        }
    }
}

extension String {
    fileprivate func firstRange(of pattern: String) -> Range<String.Index>? {
        range(of: pattern, options: .regularExpression)
    }
}
