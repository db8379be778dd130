internal import Text

extension DeclarationReader {
    private static let pagingForm =
        "\"none\", \"link\", or an object with one of the keys next, cursor, page, offset and none"

    mutating func paging(_ place: Place) -> Paging {
        guard let node = place.node else { return .none }
        switch node.value {
        case .text("none"): return .none
        case .text("link"): return .link
        case .object(let members):
            let kinds = Grammar.paging.filter { keys in members.contains { $0.key == keys[0] } }
            guard kinds.count == 1 else { break }
            return paging(place, keys: kinds[0])
        default: break
        }
        refuse(place, allowed: Self.pagingForm)
        return .none
    }

    private mutating func paging(_ place: Place, keys: [String]) -> Paging {
        guard let fields = fields(of: place, keys: keys) else { return .none }
        switch keys[0] {
        case "next":
            return nextPlace(fields["next"]).map {
                .next(NextPage(place: $0, rows: total(fields["rows"])))
            } ?? .none
        case "cursor":
            guard fields["as"].isSet else {
                demand(
                    fields["as"], example: "the query parameter that takes it: \"as\": \"cursor\"")
                return .none
            }
            guard let path = path(fields["cursor"]), let parameter = parameter(fields["as"])
            else { return .none }
            return .cursor(
                PageCursor(
                    path: path, parameter: parameter, more: self.path(fields["more"]),
                    rows: total(fields["rows"])))
        case "none":
            _ = bool(fields["none"], standard: true)
            return bool(fields["whole"], standard: false) ? .whole : .none
        case "page":
            guard let parameter = parameter(fields["page"]) else { return .none }
            return .pages(
                CountedPages(
                    parameter: parameter, first: integer(fields["from"], in: 0...1_000_000) ?? 1,
                    pages: total(fields["pages"]), rows: total(fields["rows"]),
                    most: integer(fields["most"], in: 1...Limits.pages) ?? Limits.pages))
        default:
            guard let parameter = parameter(fields["offset"]) else { return .none }
            return .offset(
                CountedRows(
                    parameter: parameter, limit: limit(fields["limit"]),
                    rows: total(fields["rows"])))
        }
    }

    private mutating func parameter(_ place: Place) -> PageParameter? {
        let text = text(
            place,
            allowed:
                "the name of a query parameter, 1 to 100 bytes, or \"body $.page\" where a list has a body"
        ) {
            (1...100).contains($0.utf8.count)
        }
        return text.flatMap { parameter($0, of: place) }
    }

    private mutating func parameter(_ text: String, of place: Place) -> PageParameter? {
        guard text.hasPrefix("body ") else { return .query(text) }
        guard let path = path(String(text.dropFirst(5)), of: place) else { return nil }
        guard path.names?.isEmpty == false else {
            refuse(place, allowed: "\"body\" and the path of a member, such as \"body $.page\"")
            return nil
        }
        return .body(path)
    }

    /// `$.next`, `link` or `header Next-Page`.
    private mutating func nextPlace(_ place: Place) -> NextPage.Place? {
        let allowed = "a path such as $.next, \"link\", or \"header Next-Page\""
        guard let text = text(place, allowed: allowed) else { return nil }
        if text == "link" { return .link }
        return total(text, of: place, allowed: allowed).map { told in
            switch told {
            case .path(let path): .path(path)
            case .header(let name): .header(name)
            }
        }
    }

    /// `["limit", 100]`.
    private mutating func limit(_ place: Place) -> CountedRows.Limit? {
        guard let node = place.node else { return nil }
        guard case .list(let items) = node.value, items.count == 2,
            case .text(let name) = items[0].value, (1...100).contains(name.utf8.count),
            case .number(let text) = items[1].value, let rows = Int(text), String(rows) == text,
            (1...100_000).contains(rows)
        else {
            refuse(
                place, allowed: "a query parameter and the rows a page, such as [\"limit\", 100]")
            return nil
        }
        return parameter(name, of: place).map { .init(parameter: $0, rows: rows) }
    }

    /// `$.total` or `header X-Total-Count`.
    private mutating func total(_ place: Place) -> Total? {
        let allowed = "a path such as $.total, or \"header X-Total-Count\""
        return text(place, allowed: allowed).flatMap { total($0, of: place, allowed: allowed) }
    }

    /// A place in the body of an answer, or in its header.
    mutating func total(_ text: String, of place: Place, allowed: String) -> Total? {
        guard text.hasPrefix("header ") else { return path(text, of: place).map { .path($0) } }
        let name = String(text.dropFirst(7))
        guard Self.isFieldName(name) else {
            refuse(place, allowed: allowed)
            return nil
        }
        return .header(name)
    }

    /// Whether `text` can name a header field (RFC 9110 §5.1).
    static func isFieldName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
