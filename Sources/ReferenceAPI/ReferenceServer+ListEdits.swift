import APIClient
import FoundationEssentials

/// Reads and changes of rows of `/lists/NAME`.
extension ReferenceServer {
    /// Any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// The row with this id.
    func row(_ id: String, of name: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        guard let row = list.rows.first(where: { Self.isRow($0, id) }) else {
            return Self.refusal(404, "Not Found")
        }
        return Self.json(200, .written(Array(row.utf8)))
    }

    /// Changes the row with this id: PATCH writes the members of the body over it (RFC 7396, top level), PUT puts
    /// the body in its place. The answer is the row.
    mutating func edit(
        of id: String, in name: String, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard let list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        let body = request.body ?? []
        let decoded = try? JSONDecoder().decode([String: Anything].self, from: Data(body))
        guard let names = decoded?.keys, let members = TopLevelMembers(of: body) else {
            return Self.refusal(400, "expected an object")
        }
        guard let index = list.rows.firstIndex(where: { Self.isRow($0, id) }) else {
            return Self.refusal(404, "Not Found")
        }
        if let refused = orphanRefusal(of: body, in: list) { return refused }
        let old = Array(list.rows[index].utf8)
        let new: [UInt8]
        if request.method == .put {
            guard Self.isRow(String(decoding: body, as: UTF8.self), id) else {
                return Self.refusal(422, "the body is another row's")
            }
            new = body
        } else {
            new = Self.merging(names.sorted(), members, body, into: old)
        }
        let row = list.stamped(String(decoding: new, as: UTF8.self), at: milliseconds / 1000)
        change(.listChanged(name: name, .edited(place: index, row: row)))
        return Self.json(200, .written(Array(row.utf8)))
    }

    private static func merging(
        _ names: [String], _ members: TopLevelMembers, _ body: [UInt8], into row: [UInt8]
    ) -> [UInt8] {
        guard let places = TopLevelMembers(of: row) else { return row }
        let values = names.compactMap { name in
            members.place(of: name).map { (name, String(decoding: body[$0], as: UTF8.self)) }
        }.filter { $0.0 != "id" }
        let known = values.filter { places.place(of: $0.0) != nil }
        var merged = places.replacing(
            Dictionary(known) { first, _ in first }, in: row)
        for (name, value) in values where places.place(of: name) == nil {
            guard let end = merged.lastIndex(of: UInt8(ascii: "}")) else { continue }
            let member = JSONOutput.object([(name, .written(Array(value.utf8)))]).bytes()
            merged.replaceSubrange(end..., with: [UInt8(ascii: ",")] + member.dropFirst())
        }
        return merged
    }

    private static func isRow(_ row: String, _ id: String) -> Bool {
        let bytes = Array(row.utf8)
        guard let place = TopLevelMembers(of: bytes)?.place(of: "id") else { return false }
        let found = String(decoding: bytes[place], as: UTF8.self)
        return found == id || found == "\"\(id)\""
    }
}
