import APIClient
import FoundationEssentials

/// Creates and deletes of rows of `/lists/NAME`.
extension ReferenceServer {
    /// Any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Adds the object in the body; one without `id` gets the next number.
    mutating func addition(to name: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        let key = request.fields.first { $0.isNamed("idempotency-key") }?.value
        if behaviour.honoursIdempotencyKeys, let key, let kept = list.written.keptAnswers[key] {
            return Self.json(201, .written(Array(kept.utf8)))
        }
        let body = request.body ?? []
        guard (try? JSONDecoder().decode([String: Anything].self, from: Data(body))) != nil,
            let members = TopLevelMembers(of: body)
        else { return Self.refusal(400, "expected an object") }
        if let refused = orphanRefusal(of: body, in: list) { return refused }
        let row: String
        var number: Int64?
        if let place = members.place(of: "id") {
            let id = String(decoding: body[place], as: UTF8.self)
            guard !list.rows.contains(where: { Self.id(of: $0) == id }) else {
                return Self.refusal(409, "there is a row with this id")
            }
            row = String(decoding: body, as: UTF8.self)
        } else {
            let rest = String(decoding: body, as: UTF8.self).drop { $0 != "{" }.dropFirst()
            let isEmpty = rest.drop { $0.isWhitespace }.first == "}"
            number = list.written.nextID
            row = "{\"id\":\(list.written.nextID)\(isEmpty ? "" : ",")\(rest)"
        }
        let stamped = list.stamped(row, at: milliseconds / 1000)
        let kept = behaviour.honoursIdempotencyKeys ? key : nil
        change(.listChanged(name: name, .added(row: stamped, number: number, key: kept)))
        return Self.json(201, .written(Array(stamped.utf8)))
    }

    /// Removes the row with this id.
    mutating func removal(
        of id: String, from name: String, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard let list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        let index = list.rows.firstIndex { row in
            let found = Self.id(of: row)
            return found == id || found == "\"\(id)\""
        }
        guard let index else { return Self.refusal(404, "Not Found") }
        guard remove(place: index, of: name) else {
            return Self.refusal(409, "there are rows below this one")
        }
        return HTTPResponse(status: 204)
    }

    /// Keeps the rows of the lists that take writes in ``state``. A list that it has already goes on from there. A
    /// list with a lie moves its rows of its own accord, and is not kept.
    public mutating func keepLists() {
        lastChanges = []
        for (name, list) in declaredLists.sorted(by: { $0.key < $1.key })
        where list.isWritable && list.lie == nil {
            if let kept = state.lists[name] {
                declaredLists[name]?.written = kept
            } else {
                change(.listChanged(name: name, .replaced(rows: list.rows)))
            }
        }
    }

    /// The value of `id` as it is written.
    static func id(of row: String) -> String? {
        let bytes = Array(row.utf8)
        return TopLevelMembers(of: bytes)?.place(of: "id").map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }
}
