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
        guard var list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        let key = request.fields.first { $0.isNamed("idempotency-key") }?.value
        if behaviour.honoursIdempotencyKeys, let key, let kept = list.keptAnswers[key] {
            return Self.json(201, .written(Array(kept.utf8)))
        }
        let body = request.body ?? []
        guard (try? JSONDecoder().decode([String: Anything].self, from: Data(body))) != nil,
            let members = TopLevelMembers(of: body)
        else { return Self.refusal(400, "expected an object") }
        let row: String
        if let place = members.place(of: "id") {
            let id = String(decoding: body[place], as: UTF8.self)
            guard !list.rows.contains(where: { Self.id(of: $0) == id }) else {
                return Self.refusal(409, "there is a row with this id")
            }
            row = String(decoding: body, as: UTF8.self)
        } else {
            let rest = String(decoding: body, as: UTF8.self).drop { $0 != "{" }.dropFirst()
            let isEmpty = rest.drop { $0.isWhitespace }.first == "}"
            row = "{\"id\":\(list.nextID)\(isEmpty ? "" : ",")\(rest)"
            list.nextID += 1
        }
        list.rows.append(row)
        if behaviour.honoursIdempotencyKeys, let key { list.keptAnswers[key] = row }
        declaredLists[name] = list
        return Self.json(201, .written(Array(row.utf8)))
    }

    /// Removes the row with this id.
    mutating func removal(
        of id: String, from name: String, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard var list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        let index = list.rows.firstIndex { row in
            let found = Self.id(of: row)
            return found == id || found == "\"\(id)\""
        }
        guard let index else { return Self.refusal(404, "Not Found") }
        list.rows.remove(at: index)
        declaredLists[name] = list
        return HTTPResponse(status: 204)
    }

    /// The value of `id` as it is written.
    private static func id(of row: String) -> String? {
        let bytes = Array(row.utf8)
        return TopLevelMembers(of: bytes)?.place(of: "id").map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }
}
