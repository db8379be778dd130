import APIClient
import FoundationEssentials

/// Lists of any rows at `/lists/NAME`.
extension ReferenceServer {
    mutating func listAnswer(
        _ request: HTTPRequest, name: String, query: [String: String]
    ) -> HTTPResponse {
        guard var list = declaredLists[name] else { return Self.refusal(404, "Not Found") }
        if let refused = refusal(of: request, by: list) { return refused }
        list.answers += 1
        guard let asked = list.asked(query) else {
            declaredLists[name] = list
            return Self.refusal(410, "the mark is too old")
        }
        var answer = asked.answer(path: "/lists/\(name)", origin: request.origin, query: query)
        if list.lie == .shifting, !list.rows.isEmpty {
            list.rows.append(list.rows.removeFirst())
        }
        declaredLists[name] = list
        answer.fields.append(HTTPField("Content-Type", "application/json"))
        return conditional(answer, answer.body, request)
    }
}

extension ReferenceServer {
    /// The list as `GET` answers it, with the members of the body in the place of a query.
    mutating func searchAnswer(_ request: HTTPRequest, name: String) -> HTTPResponse {
        let body = request.body.flatMap { try? JSONDecoder().decode(Search.self, from: Data($0)) }
        guard let body else { return Self.refusal(400, "the body is no object") }
        return listAnswer(request, name: name, query: body.page?.mapValues(\.text) ?? [:])
    }

    /// What a search asks for.
    private struct Search: Decodable {
        /// The members by which it says which page it wants.
        var page: [String: Scalar]?
    }

    /// A text or a whole number.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(String.self)) ?? "\(value.decode(Int.self))"
        }
    }

    /// 401 without the credentials of the list.
    func refusal(of request: HTTPRequest, by list: ReferenceList) -> HTTPResponse? {
        if let token = list.token, Self.credentials("bearer", of: request) != token {
            return Self.refusal(401, "Unauthorized")
        }
        if behaviour.listsNeedLogin,
            case .failure(let refused) = owner(of: request, at: milliseconds / 1000)
        {
            return refused.answer
        }
        return nil
    }
}

extension ReferenceList {
    fileprivate func answer(
        path: String, origin: Origin, query: [String: String]
    ) -> HTTPResponse {
        let (start, size) = range(query)
        if case .shrunk(let status) = lie, start > 0 {
            let body = #"{"detail":"Invalid page."}"#
            return HTTPResponse(status: status, fields: [], body: Array(body.utf8))
        }
        let shown = lyingRows(from: start, count: size)
        let end = min(rows.count, start + size)
        let page = start / max(size, 1) + 1
        let isLast = end >= rows.count
        let extra = if case .total(let extra) = lie { extra } else { 0 }
        let array = "[" + shown.joined(separator: ",") + "]"
        var fields: [HTTPField] = []
        var body = array
        let next = nextPage(page: page, end: end, isLast: isLast, path: path, origin: origin)
        switch paging {
        case .none: break
        case .link:
            if let next { fields.append(HTTPField("Link", "<\(next)>; rel=\"next\"")) }
        case .next:
            body = #"{"results":\#(array),"next":\#(next.map { "\"\($0)\"" } ?? "null")}"#
        case .cursor:
            body = #"{"results":\#(array),"next_cursor":\#(next.map { "\"\($0)\"" } ?? "null")}"#
        case .page:
            let pages = max(1, (rows.count + max(size, 1) - 1) / max(size, 1))
            body = """
                {"results":\(array),"total_pages":\(pages + extra.signum()),\
                "total_results":\(rows.count + extra)}
                """
        case .offset: fields.append(HTTPField("X-Total-Count", "\(rows.count + extra)"))
        }
        return HTTPResponse(status: 200, fields: fields, body: Array(body.utf8))
    }

    /// The number of the first row, and how many there may be.
    private func range(_ query: [String: String]) -> (start: Int, size: Int) {
        let whole = max(1, size)
        func page(_ text: String?) -> Int { max(1, min(Int(text ?? "1") ?? 1, 1_000_000)) }
        if lie == .samePage { return (0, whole) }
        switch paging {
        case .none: return (0, rows.count)
        case .link, .next, .page: return ((page(query["page"]) - 1) * whole, whole)
        case .cursor: return (max(0, Int(query["cursor"] ?? "0") ?? 0), whole)
        case .offset:
            let limit = query["limit"].flatMap { Int($0) } ?? whole
            return (max(0, Int(query["offset"] ?? "0") ?? 0), max(1, min(limit, whole)))
        }
    }

    private func lyingRows(from start: Int, count: Int) -> [String] {
        guard start < rows.count else { return [] }
        let numbers = Array(start..<min(rows.count, start + count))
        switch lie {
        case .missing(let index): return numbers.filter { $0 != index }.map { rows[$0] }
        case .doubled(let index):
            let isNext = numbers.first == index + 1
            return (isNext ? [rows[index]] : []) + numbers.map { rows[$0] }
        case .odd(let index, let text): return numbers.map { $0 == index ? text : rows[$0] }
        default: return numbers.map { rows[$0] }
        }
    }

    /// The address or the cursor of the next page.
    private func nextPage(
        page: Int, end: Int, isLast: Bool, path: String, origin: Origin
    ) -> String? {
        func address(_ number: Int) -> String {
            paging == .cursor ? "\((number - 1) * max(1, size))" : "\(origin)\(path)?page=\(number)"
        }
        switch lie {
        case .standstill: return address(page)
        case .loop where isLast: return address(1)
        case .samePage: return address(page + 1)
        case .foreignLink(let text) where !isLast: return text
        default: return isLast ? nil : paging == .cursor ? "\(end)" : address(page + 1)
        }
    }
}
