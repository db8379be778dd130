internal import APIClient
internal import Declarations
internal import Text

/// The numbers by which an answer tells how long its list is.
struct Counts: Sendable {
    /// A number, and what a declaration calls its place.
    struct Told: Sendable, Hashable {
        let place: String
        let count: Int64
        /// Where in the body it is; empty for a header.
        var names: [String] = []

        /// What a parameter of this name is called.
        var name: String { names.last ?? "" }
    }

    /// How many rows the answer brought.
    let rows: Int
    /// How many the list has.
    let total: Told?
    /// How many pages it has.
    let pages: Told?
    /// The path of a field that says that there is more.
    private let flag: String?
    /// The number of this page.
    private let current: Int64?
    /// The same with its place, the number of rows before the page, and the length of a page.
    private let page: Told?
    private let start: Told?
    private let limit: Told?
    /// Whether the answer counts rows and not pages.
    private let countsRows: Bool
    /// Whether parameters stand in brackets, as Strapi's do.
    private let isBracketed: Bool

    private static let numbers = [
        "page", "current_page", "currentPage", "pageNumber", "page_number", "number",
    ]

    init(_ seen: SeenList, rows: Int) {
        self.rows = rows
        func number(_ names: [String]) -> Told? {
            for parent in PageWords.parents {
                for name in names {
                    guard let count = seen.body.node(at: parent + [name])?.wholeNumber,
                        count >= 0,
                        let path = JSONPath.checked((parent + [name]).map { .member($0) })
                    else { continue }
                    return Told(place: path.description, count: count, names: parent + [name])
                }
            }
            return nil
        }
        let header = ["X-Total-Count", "X-Total", "Content-Range"].lazy.compactMap { name in
            ListExtent(
                of: HTTPResponse(status: 200, fields: seen.fields), naming: [name]
            ).named[name].map { Told(place: "header \(name)", count: $0) }
        }.first
        let inBody = number(PageWords.totals)
        let longer = { (told: Told?) in told.flatMap { $0.count > Int64(rows) ? $0 : nil } }
        total = longer(inBody) ?? longer(header) ?? inBody ?? header
        pages = number(PageWords.pageTotals)
        flag =
            PageWords.parents.lazy.flatMap { parent in PageWords.flags.lazy.map { parent + [$0] } }
            .first { seen.body.node(at: $0)?.value == .bool(true) }
            .flatMap { JSONPath.checked($0.map { .member($0) })?.description }
        page = number(Self.numbers)
        current = page?.count
        start = number(PageWords.starts)
        limit = number(PageWords.limits)
        isBracketed = seen.body.node(at: ["meta", "pagination"]) != nil
        countsRows =
            start != nil || header?.place == "header Content-Range"
    }

    /// Why there is more than this page; nil: nothing says so.
    var more: String? {
        if let total, total.count > Int64(rows) {
            return "\(total.place) says \(total.count) rows, and \(rows) came"
        }
        if let pages, pages.count > max(1, current ?? 1) {
            return "\(pages.place) says \(pages.count) pages"
        }
        return flag.map { "\($0) is true" }
    }

    /// The ways to ask for the second page, the likeliest first.
    func candidates(query: [(name: String, value: String)]) -> [PagingCandidate] {
        let numbered = numbered(query)
        let counted = counted(query)
        let rowsFirst = countsRows || counted.own && !numbered.own
        return rowsFirst ? counted.all + numbered.all : numbered.all + counted.all
    }

    /// The ways to a second page of a list that has one page as yet, where the answer names the parameters.
    func shapes(query: [(name: String, value: String)]) -> [PagingCandidate] {
        guard let total, total.count == Int64(rows), rows > 0 else { return [] }
        let sign = "\(total.place) says \(total.count) rows"
        if let start, start.count == 0, let limit, (1...100_000).contains(limit.count) {
            return [
                PagingCandidate(
                    pages: .object([
                        ("offset", .text(start.name)),
                        (
                            "limit",
                            JSONNode(.list([.text(limit.name), .number(Int(limit.count))]))
                        ), ("rows", .text(total.place)),
                    ]), sign: sign,
                    second: .parameters([
                        .init(name: start.name, value: "1"), .init(name: limit.name, value: "1"),
                    ]), replaces: [start.name, limit.name],
                    echo: .init(path: start.names, number: 1))
            ]
        }
        guard let page, page.count == 1, let pages, pages.count == 1 else { return [] }
        let own = numbered(query)
        return own.all.prefix(1).map { candidate in
            PagingCandidate(
                pages: candidate.pages, sign: sign, second: candidate.second,
                replaces: candidate.replaces, echo: .init(path: page.names, number: 2))
        }
    }

    private typealias Ways = (all: [PagingCandidate], own: Bool)

    private func numbered(_ query: [(name: String, value: String)]) -> Ways {
        let known = [
            "page", "_page", "p", "page_number", "pageNumber", "pagination[page]",
            "page[number]",
        ]
        let own = query.filter { known.contains($0.name) }
        let usual = isBracketed ? ["pagination[page]", "page"] : ["page", "_page"]
        let names = own.map(\.name) + usual.filter { name in !own.contains { $0.name == name } }
        let isFromZero = own.first.map { $0.value == "0" } ?? (current == 0)
        let candidates = names.prefix(2).map { name in
            PagingCandidate(
                pages: .object([
                    ("page", .text(name)), ("from", isFromZero ? .number(0) : nil),
                    ("pages", pages.map { .text($0.place) }),
                    ("rows", total.map { .text($0.place) }),
                ]), sign: more ?? "",
                second: .parameters([.init(name: name, value: isFromZero ? "1" : "2")]),
                replaces: [name])
        }
        return (candidates, !own.isEmpty)
    }

    private func counted(_ query: [(name: String, value: String)]) -> Ways {
        let known = [
            ("offset", "limit"), ("skip", "limit"), ("$skip", "$top"), ("_start", "_limit"),
            ("start", "limit"), ("startAt", "maxResults"), ("offset", "per_page"),
        ]
        let own = known.filter { offset, limit in
            query.contains { $0.name == offset || $0.name == limit }
        }
        let pairs = (own + known.filter { pair in !own.contains { $0 == pair } }).prefix(2)
        guard rows > 0, rows <= 100_000 else { return ([], false) }
        let candidates = pairs.map { offset, limit in
            let asked = query.first { $0.name == limit }.flatMap { Int($0.value) }
            let length = asked.flatMap { (1...100_000).contains($0) ? $0 : nil } ?? rows
            return PagingCandidate(
                pages: .object([
                    ("offset", .text(offset)),
                    ("limit", JSONNode(.list([.text(limit), .number(length)]))),
                    ("rows", total.map { .text($0.place) }),
                ]), sign: more ?? "",
                second: .parameters([
                    .init(name: offset, value: "\(rows)"), .init(name: limit, value: "\(length)"),
                ]), replaces: [offset, limit])
        }
        return (candidates, own.contains { pair in query.contains { $0.name == pair.0 } })
    }
}
