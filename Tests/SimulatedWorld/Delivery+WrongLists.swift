import APIClient
import Foundation
import ReferenceAPI
import TestSupport

/// Lists that are valid JSON and not what an honest server says.
extension Delivery {
    /// A list that misses rows. A list that is wrong twice is believed, which is a residue: so two of
    /// a device's lists in a row are wrong only within the minute that a second look has to wait.
    mutating func wrongList(_ kind: Fault.WrongList) -> HTTPResponse {
        var answer = plain()
        guard isTodosList, answer.status == 200, mayBeWrong,
            let rows = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [Any],
            !rows.isEmpty
        else { return answer }
        switch kind {
        case .empty: show(Array(rows[..<0]), in: &answer)
        case .cut: show(Array(rows.prefix(random.index(rows.count))), in: &answer)
        case .stale:
            guard let stale = world.listBeforeLastChange else { return answer }
            answer.body = stale.body
            listed = stale.rows
        }
        answer.fields.removeAll { $0.name.lowercased() == "etag" }
        isWrongList = true
        return answer
    }

    /// The rows that stand in an answer, which is one page of several.
    func shown(in answer: HTTPResponse) -> [String: Int] {
        let rows = (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [Any] ?? []
        let ids = Set(rows.compactMap { ($0 as? [String: Any])?["id"].map { "\($0)" } })
        return world.ledger.current.filter { ids.contains($0.key) }
    }

    private mutating func show(_ rows: [Any], in answer: inout HTTPResponse) {
        // Sorted, so that a seed repeats its run.
        let body = try? JSONSerialization.data(withJSONObject: rows, options: .sortedKeys)
        answer.body = body.map { Array($0) } ?? []
        let shown = Set(rows.compactMap { ($0 as? [String: Any])?["id"].map { "\($0)" } })
        listed = listed.filter { shown.contains($0.key) }
        listedRows = rows.count
    }

    /// A row that is not the server's stands first.
    mutating func inserted(_ row: String) -> HTTPResponse {
        var answer = plain()
        guard isTodosList, answer.status == 200,
            let text = String(validating: answer.body, as: UTF8.self), text.hasPrefix("[")
        else { return answer }
        let rest = text.dropFirst()
        listedRows += 1
        answer.body = Array("[\(row)\(rest.hasPrefix("]") ? "" : ",")\(rest)".utf8)
        answer.fields.removeAll { $0.name.lowercased() == "etag" }
        return answer
    }

    /// The first row of the list is there twice, once with another title.
    mutating func differing() -> HTTPResponse {
        let server = world.rowsAtServer
        // Of several pages the first may not hold it.
        guard isTodosList, world.plan.setting.behaviour.pages == nil, let first = server.first
        else { return plain() }
        let id = first.id.description
        let value = Int64(id) == nil ? "\"\(id)\"" : id
        let answer = inserted(
            #"{"id":\#(value),"title":\#(World.quoted(world.plan.setting.title("another", 1)))}"#)
        guard answer.status == 200 else { return answer }
        isWholeList = false
        let rows = listedRows
        listed[id] = nil
        listedRows = rows
        return answer
    }

    private var mayBeWrong: Bool {
        guard let since = device.books.wrongSince else { return true }
        guard let began = device.current?.beganAt else { return false }
        return began - since < Setting.confirmationMilliseconds
    }
}
