import APIClient
import Foundation
import ReferenceAPI
import SQLite
import SyncEngine
import TestSupport

/// A write that came to the server's door, and the operation behind it.
struct Shipment {
    let local: LocalTodo
    let isCreate: Bool
    /// The id that a DELETE names.
    let serverID: String?
    let arrivedAt: Int64
}

/// The laws of what goes over the wire.
extension Device {
    /// Checks a request as it leaves; nil for those that write no todo.
    func checkArrival(_ request: HTTPRequest, leftAt: Int64) -> Shipment? {
        if let throttledAt { longestWait = max(longestWait, leftAt - throttledAt) }
        if let endedAt { longestWait = max(longestWait, leftAt - endedAt) }
        throttledAt = nil
        if request.target == "/login" {
            current?.logins += 1
            // One for the pull, one for the replay; a refused one ends the cycle.
            if current?.logins ?? 0 > 8 { blame("P13: a cycle logs in without end") }
            return nil
        }
        if request.method == .get, request.target == "/todos" { current?.hasAskedForList = true }
        guard request.method.isWrite else { return nil }
        current?.sendings += 1
        if request.method != .post || current?.pull == nil { current?.sendingsByList += 1 }
        return request.method == .post ? checkCreate(request) : checkDelete(request, leftAt: leftAt)
    }

    private struct Sent {
        let sequence: Int64
        let todo: Int64
        let title: String
        let state: String
    }

    private func sent(_ condition: String, _ value: String) -> Sent? {
        read(
            "SELECT seq, row_id, title, state FROM operation JOIN \(rows) ON todo.id = row_id "
                + "WHERE " + condition, .text(value)
        ) {
            Sent(
                sequence: $0.integer(0), todo: $0.integer(1), title: $0.text(2), state: $0.text(3))
        }.first
    }

    private func checkCreate(_ request: HTTPRequest) -> Shipment? {
        let key = request.value(of: "Idempotency-Key")
        // Equal ones go one after the other.
        let found =
            key.map { sent("kind = 'create' AND idempotency_key = ?", $0) }
            ?? sent("kind = 'create' AND state = 'sending' AND title = ?", request.title)
        guard let sent = found else {
            blame("P1: a create is sent that is not in the queue: \(request.title)")
            return nil
        }
        if !sent.title.isSame(as: request.title) {
            blame("P1: the create of \(sent.todo) is sent as '\(request.title)'")
        }
        let todo = sent.todo
        let shipment = Shipment(
            local: LocalTodo(device: number, id: todo), isCreate: true, serverID: nil,
            arrivedAt: world.clock.now)
        if sent.state != "sending" {
            blame("P1: the create of \(todo) is sent before its intent is committed")
        }
        if let deletion = books.deleted[todo], deletion.at < current?.beganAt ?? 0 {
            blame("P9: the create of \(todo) is sent after it was deleted")
        }
        if books.created.contains(todo) {
            blame("P16: the create of \(todo) is sent again after a yes")
        }
        if let first = books.keys[todo], let key, first != key {
            blame("P6: the create of \(todo) is sent with another key")
        }
        if let key { books.keys[todo] = key }
        checkOrder(sent)
        checkLookedUp(todo)
        return shipment
    }

    /// P7: what may have been applied is looked for in a fresh list before it is sent again. The
    /// intent lies up to one timeout before the arrival that is known here.
    private func checkLookedUp(_ todo: Int64) {
        guard let doubtfulAt = books.doubtfulAt[todo], !world.plan.setting.usesKeys else { return }
        if books.listBeganAt < doubtfulAt + Setting.timeoutMilliseconds {
            blame("P7: the create of \(todo) is sent again without a look into a fresh list")
        }
    }

    /// P9: operations on todos of one title go one after another, unless both are at the server.
    private func checkOrder(_ sent: Sent) {
        guard current?.hasMend != true else { return }
        let earlier = read(
            "SELECT title FROM operation JOIN \(rows) ON todo.id = row_id "
                + "WHERE seq < ? AND state <> 'rejected' "
                + "AND (state <> 'acknowledged' OR kind = 'create') "
                + "AND (server_id IS NULL OR ? NOT IN (SELECT seq FROM operation WHERE kind = 'delete'))",
            .integer(sent.sequence), .integer(sent.sequence)
        ) { $0.text(0) }
        guard !earlier.isEmpty else { return }
        let look = world.plan.setting.look(sent.title)
        if !look.isEmpty, earlier.contains(where: { world.plan.setting.look($0) == look }) {
            blame("P9: operation \(sent.sequence) overtakes an earlier one of its title")
        }
    }

    private func checkDelete(_ request: HTTPRequest, leftAt: Int64) -> Shipment? {
        let id = String(request.target.dropFirst("/todos/".count))
        guard let sent = sent("kind = 'delete' AND server_id = ?", id) else {
            blame("P8: a DELETE of \(id) is sent that is not in the queue")
            return nil
        }
        let local = LocalTodo(device: number, id: sent.todo)
        if sent.state != "sending" {
            blame("P1: the delete of \(sent.todo) is sent before its intent is committed")
        }
        guard books.deleted[sent.todo] != nil else {
            blame("P8: a DELETE of \(id) is sent, but nobody deleted \(sent.todo)")
            return nil
        }
        let creates = read(
            "SELECT 1 FROM operation WHERE kind = 'create' AND row_id = ?", .integer(sent.todo)
        ) { _ in true }
        if !creates.isEmpty { blame("P8: a DELETE of \(id) is sent while its create waits") }
        let list = (current?.snapshot ?? [:]).mapValues { world.ledger.rows[$0].title }
        let shown = list[id]
        let listed =
            world.plan.setting.list?.listed(sent.title, in: Array(list.values)) ?? sent.title
        // What a create of ours is looked for by may leave columns out.
        let isOwn = shown.map { world.plan.setting.isTitle($0, of: sent.title) } ?? false
        let isFound = books.added[sent.todo] != nil && isOwn
        if !isFound, shown.map({ $0.isSame(as: sent.title) || $0.isSame(as: listed) }) != true {
            blame(
                "P8: a DELETE of \(id) '\(sent.title)' is sent, but this cycle's pull showed "
                    + (shown.map { "'\($0)'" } ?? "no such row"))
        }
        checkListAge(id, leftAt)
        if let row = current?.snapshot?[id] { noteAdoption(of: sent.todo, row: row) }
        checkOrder(sent)
        return Shipment(
            local: local, isCreate: false, serverID: id, arrivedAt: world.clock.now)
    }

    /// P8: a list that took long to read is good for a second, and for three of the waits that the server has asked for.
    private func checkListAge(_ id: String, _ leftAt: Int64) {
        guard let current, let came = current.listCameAt, let ended = current.listEndedAt,
            leftAt - came > 5000, leftAt - ended > 1000 + 3 * longestWait
        else { return }
        blame("P8: a DELETE of \(id) goes by a list that is \(leftAt - came) ms old")
    }

    /// A todo that scripts added stands for a row; remembered where it did not make that row.
    func noteAdoption(of todo: Int64, row: Int) {
        guard let title = books.added[todo], books.adopted[todo] == nil else { return }
        let effects = world.ledger.effects[LocalTodo(device: number, id: todo)] ?? []
        guard !effects.contains(row) else { return }
        books.adopted[todo] = row
        let shown = world.ledger.rows[row].title
        // A row without a mark may be ours before the server has shown one.
        let isUnmarked = world.plan.setting.list?.isUnmarked(shown, like: title) == true
        if !isUnmarked, !world.plan.setting.isTitle(shown, of: title) {
            blame("P7: \(todo) '\(title)' takes the row of '\(world.ledger.rows[row].title)'")
        }
        // docs/reliability.md, "What remains": what another client adds after our last pull may be taken for ours. A row
        // that a taken pull showed is another todo's.
        if books.seen.contains(row), !hasTwin(row) {
            blame("P7: \(todo) takes a row that is another todo's")
        }
    }

    /// docs/reliability.md, "What remains": a row with the id and title of a row is that row.
    func hasTwin(_ row: Int) -> Bool {
        books.seen.contains { $0 != row && world.ledger.looksLike($0, row) }
    }

    func noteNoAnswer(_ shipment: Shipment?, mayHaveArrived: Bool) {
        guard let shipment, shipment.isCreate, mayHaveArrived else { return }
        books.doubtfulAt[shipment.local.id] = shipment.arrivedAt
    }

    func noteAnswer(_ answer: HTTPResponse, delivery: Delivery, startedAt: Int64) {
        if answer.status == 429 || answer.status >= 400 && answer.value(of: "Retry-After") != nil
            || answer.status == 503
        {
            throttledAt = world.clock.now
        }
        if delivery.isTodosList, delivery.isPlain,
            (200..<300).contains(answer.status) || answer.status == 304
        {
            note(delivery.page(answer, startedAt: startedAt, cameAt: world.clock.now))
        }
        guard let shipment = delivery.shipment else { return }
        if shipment.isCreate, delivery.isYes {
            current?.created.insert(shipment.local.id)
            books.answeredAt[shipment.local.id] = world.clock.now
        }
        if delivery.isNamed, let row = world.ledger.effects[shipment.local]?.last {
            books.latest[world.ledger.rows[row].id] = row
            current?.named.append(
                CycleRun.Acknowledgement(
                    todo: shipment.local.id, serverID: world.ledger.rows[row].id, row: row,
                    moment: world.clock.now))
        }
        if let id = shipment.serverID {
            let isDone = delivery.isPlain && (200..<300).contains(answer.status)
            if isDone { current?.gone.insert(id) }
            if isDone || answer.status == 404 || answer.status == 410 {
                current?.deleted.insert(id)
            }
        } else if delivery.isPlain, answer.status == 200 || answer.status == 201 {
            noteAcknowledged(shipment, answer)
        } else if Self.isDoubtful(answer.status) {
            books.doubtfulAt[shipment.local.id] = shipment.arrivedAt
        }
    }

    private func noteAcknowledged(_ shipment: Shipment, _ answer: HTTPResponse) {
        // The answer of a repeated key names a row that may be gone; the newest of this todo is it.
        guard let row = world.ledger.effects[shipment.local]?.last else { return }
        let id = world.ledger.rows[row].id
        books.latest[id] = row
        books.doubtfulAt[shipment.local.id] = nil
        current?.acknowledged.append(
            CycleRun.Acknowledgement(
                todo: shipment.local.id, serverID: id, row: row, moment: world.clock.now))
    }

    /// Whether a request can have been applied that was answered so. A server that moves somebody to the
    /// same request elsewhere (RFC 9110 §15.4) has not applied it.
    static func isDoubtful(_ status: Int) -> Bool {
        switch status {
        case 301, 307, 308: false
        case 400..<500: status == 408 || status == 409
        case _: true
        }
    }
}

extension HTTPRequest {
    /// The title of the todo that the body makes.
    fileprivate var title: String {
        let found = try? JSONSerialization.jsonObject(with: Data(body ?? []))
        return (found as? [String: Any])?["title"] as? String ?? ""
    }

    fileprivate func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
