internal import APIClient
internal import Declarations
internal import Rules
internal import Store
internal import Text

/// Where the pages of a list are.
extension PageReader {
    /// A request for a page, but for its credential.
    struct Page: Sendable {
        let target: String
        /// What a list that is read by `POST` is asked with; nil: it is read by `GET`.
        let body: [UInt8]?
        /// Which page the body asks for, percent-encoded; empty: the target says it.
        let place: String
    }

    /// The request for a page that the page at `target` told of.
    func page(
        _ request: PageWalk.Request, from target: String?
    ) throws(APIError) -> Page {
        if case .address(let address) = request {
            return Page(
                target: try source.client.target(of: address, from: target ?? list),
                body: declaration.listBody?.bytes(setting: []), place: "")
        }
        let values = try values(of: request)
        let inQuery = values.compactMap { parameter, value in
            parameter.name.map { (name: $0, value: value.plain) }
        }
        let inBody = values.compactMap { parameter, value in
            parameter.path.map { (path: $0, value: value) }
        }
        return Page(
            target: source.client.target(of: list, parameters: inQuery),
            body: declaration.listBody?.bytes(setting: inBody),
            place: PercentEncoding.encoded(inBody.map(\.value.compact).joined(separator: ",")))
    }

    /// What the request says of the page, and where.
    private func values(
        of request: PageWalk.Request
    ) throws(APIError) -> [(PageParameter, JSONNode)] {
        switch (request, declaration.paging) {
        case (.number(let number), .pages(let counted)): [(counted.parameter, .number(number))]
        case (.offset(let rows), .offset(let counted)):
            [(counted.parameter, .number(rows))] + limit(counted)
        case (.cursor(let text), .cursor(let cursor)):
            [(cursor.parameter, try node(text, of: cursor))]
        case (_, .pages(let counted)): [(counted.parameter, .number(counted.first))]
        case (_, .offset(let counted)): limit(counted)
        default: []
        }
    }

    /// A cursor that goes into a body is as it stood in the answer.
    private func node(_ text: String, of cursor: PageCursor) throws(APIError) -> JSONNode {
        guard cursor.parameter.path != nil else { return .text(text) }
        guard let node = try? JSONReader.read(Array(text.utf8)) else {
            throw .malformed("expected a cursor under \(cursor.path), found no JSON")
        }
        return node
    }

    private func limit(_ counted: CountedRows) -> [(PageParameter, JSONNode)] {
        counted.limit.map { [($0.parameter, .number($0.rows))] } ?? []
    }
}

extension PageParameter {
    /// The name of its parameter in the query.
    fileprivate var name: String? { if case .query(let name) = self { name } else { nil } }
}

extension JSONNode {
    /// A text or a number without its quotes.
    fileprivate var plain: String {
        switch value {
        case .text(let text), .number(let text): text
        case .null, .bool, .list, .object: compact
        }
    }
}
