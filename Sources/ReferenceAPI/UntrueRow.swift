import APIClient

/// What an untrue answer to a write is made of: the request, and pieces of true answers.
struct UntrueRow {
    private let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }

    static let refusal = Array(#"{"ok":false,"error":"the server does not want to"}"#.utf8)

    // MARK: Requests

    /// The read of the row that a write is about.
    static func read(_ write: HTTPRequest) -> HTTPRequest {
        var request = write
        request.method = .get
        request.body = nil
        return request
    }

    static func readList(_ write: HTTPRequest, _ place: ListPlace) -> HTTPRequest {
        var request = read(write)
        request.target = place.list
        return request
    }

    /// The write without one of its members, but never without the first one.
    func lessOneField<Generator: RandomNumberGenerator>(
        using random: inout Generator
    ) -> HTTPRequest {
        let body = request.body ?? []
        guard let members = TopLevelMembers(of: body),
            let left = members.names.dropFirst().randomElement(using: &random)
        else { return request }
        var request = request
        request.body = Self.object(members.names.filter { $0 != left }, members, body)
        return request
    }

    // MARK: Answers

    /// What was sent, with `id`.
    func claim(id: String) -> [UInt8] {
        let body = request.body ?? []
        guard let members = TopLevelMembers(of: body) else { return Array("{\"id\":\(id)}".utf8) }
        let rest = Self.object(members.names.filter { $0 != "id" }, members, body)
        return Array("{\"id\":\(id)".utf8) + (rest.count > 2 ? Array(",".utf8) : [])
            + rest.dropFirst()
    }

    /// The id as it is written; null where there is none.
    static func idText(of row: [UInt8]) -> String {
        TopLevelMembers(of: row)?.place(of: "id").map {
            String(decoding: row[$0], as: UTF8.self)
        } ?? "null"
    }

    static func id(of row: [UInt8]) -> [UInt8] { Array("{\"id\":\(idText(of: row))}".utf8) }

    /// The id and about half of the other members.
    static func part<Generator: RandomNumberGenerator>(
        of row: [UInt8], using random: inout Generator
    ) -> [UInt8] {
        guard let members = TopLevelMembers(of: row) else { return row }
        let names = members.names.filter { name in
            let isKept = Bool.random(using: &random)
            return name == "id" || isKept
        }
        return object(names, members, row)
    }

    /// A row of the list with another id.
    static func other(than row: [UInt8], in list: [UInt8]) -> [UInt8]? {
        let rows = TopLevelElements(of: list)?.elements(of: list).map { Array($0) } ?? []
        return rows.first { idText(of: $0) != idText(of: row) }
    }

    private static func object(
        _ names: [String], _ members: TopLevelMembers, _ bytes: [UInt8]
    ) -> [UInt8] {
        let texts = names.compactMap { name in
            members.place(of: name).map {
                "\"\(name)\":\(String(decoding: bytes[$0], as: UTF8.self))"
            }
        }
        return Array("{\(texts.joined(separator: ","))}".utf8)
    }
}
