public import APIClient

/// What a machine between client and server (a proxy, a firewall, a cache) says in the server's
/// place. All of it concerns the paths of todos alone.
public enum MiddleboxFault: String, Sendable, Hashable, CaseIterable {
    /// A list is answered `[]` with 200.
    case emptyList = "empty-list"
    /// Of a list only the first half of its rows is answered, as valid JSON with 200.
    case cutList = "cut-list"
    /// A write is sent elsewhere, to a path that is not there.
    case redirect = "307"
    /// Any request is refused, as by a firewall.
    case forbidden = "403"
    /// A DELETE is answered 404, and the row stays.
    case notFound = "404"
    /// A POST is answered 409, and makes no row.
    case conflict = "409"
    /// A DELETE is answered 410, and the row stays.
    case gone = "410"
    /// Any request is refused for a while.
    case tooMany = "429"
    /// Any request is refused while nobody answers behind.
    case unavailable = "503"

    /// Whether the fault is about a list.
    var isOfList: Bool { self == .emptyList || self == .cutList }

    /// Whether the fault can happen to `request`.
    public func concerns(_ request: HTTPRequest) -> Bool {
        let path = request.target.unicodeScalars.prefix { $0 != "?" }
        let isList = path.elementsEqual("/todos".unicodeScalars)
        guard isList || path.starts(with: "/todos/".unicodeScalars) else { return false }
        return switch self {
        case .emptyList, .cutList: request.method == .get
        case .redirect: request.method.isWrite
        case .notFound, .gone: request.method == .delete
        case .conflict: request.method == .post
        case .forbidden, .tooMany, .unavailable: true
        }
    }

    /// What `request`, which the fault concerns, is answered. Only for a list that is cut, `server`
    /// is asked, without conditions; its answer stays as it is where it is no list.
    public func answer(
        _ request: HTTPRequest, server: (HTTPRequest) -> HTTPResponse
    ) -> HTTPResponse {
        switch self {
        case .emptyList: return Self.list(Array("[]".utf8))
        case .cutList:
            var unconditional = request
            unconditional.fields.removeAll { $0.isNamed("If-None-Match") }
            let whole = server(unconditional)
            guard whole.status == 200, let rows = TopLevelElements(of: whole.body) else {
                return whole
            }
            return Self.list(rows.firstHalf(of: whole.body))
        case .redirect:
            return HTTPResponse(status: 307, fields: [HTTPField("Location", "/elsewhere")])
        case .forbidden: return Self.refusal(403, "Forbidden")
        case .notFound: return Self.refusal(404, "Not Found")
        case .conflict: return Self.refusal(409, "Conflict")
        case .gone: return Self.refusal(410, "Gone")
        case .tooMany: return Self.refusal(429, "Too Many Requests")
        case .unavailable: return Self.refusal(503, "Service Unavailable")
        }
    }

    /// Without an entity tag: the client must not take a wrong list for the server's later on.
    private static func list(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: [HTTPField("Content-Type", "application/json; charset=utf-8")],
            body: body)
    }

    private static func refusal(_ status: Int, _ reason: String) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: [HTTPField("Content-Type", "text/html")],
            body: Array("<html><title>\(status) \(reason)</title></html>\n".utf8))
    }
}
