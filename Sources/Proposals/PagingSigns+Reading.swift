internal import APIClient
internal import Declarations
internal import Text

extension PagingSigns {
    /// Where servers write the cursor of the next page, and the parameters that take it.
    private static let cursors: [(names: [String], parameters: [String])] = [
        (["next_cursor"], ["cursor"]), (["nextCursor"], ["cursor"]),
        (["nextPageToken"], ["pageToken", "nextPageToken"]),
        (["next_page_token"], ["page_token"]), (["meta", "next_cursor"], ["cursor"]),
        (["meta", "nextCursor"], ["cursor"]), (["pagination", "next_cursor"], ["cursor"]),
        (["response_metadata", "next_cursor"], ["cursor"]),
        (["paging", "cursors", "after"], ["after"]), (["cursor"], ["cursor"]),
    ]

    /// Reads the signs of an answer with `rows` rows.
    static func read(_ seen: SeenList, rows: Int) -> PagingSigns {
        let counts = Counts(seen, rows: rows)
        let query = SeenPath(seen.target).parameters
        var candidates: [PagingCandidate] = []
        if let next = seen.extent.next {
            candidates.append(
                .init(
                    pages: .text("link"), sign: "the header Link names a next page",
                    second: .address(next)))
        }
        candidates += addressCandidates(seen.body)
        candidates += cursorCandidates(seen.body)
        if let total = counts.total, total.count > Int64(rows) {
            candidates = candidates.map { $0.with(total: total.place) }
        }
        candidates +=
            counts.more == nil
            ? counts.shapes(query: query) : counts.candidates(query: query)
        return PagingSigns(
            candidates: candidates,
            more: candidates.first { $0.echo == nil }.map { counts.more ?? $0.sign }
                ?? counts.more,
            sleeping: sleeping(seen.body))
    }

    private static func addressCandidates(_ body: JSONNode) -> [PagingCandidate] {
        let members = PageWords.addresses.compactMap { names in
            candidate(body.node(at: names), names.map { .member($0) })
        }
        let lists = PageWords.linkLists.compactMap { names, address -> PagingCandidate? in
            guard case .list(let links)? = body.node(at: names)?.value else { return nil }
            return candidate(
                links.first?.node(at: [address]),
                names.map { .member($0) } + [.element(0), .member(address)])
        }
        return members + lists
    }

    private static func candidate(
        _ node: JSONNode?, _ steps: [JSONPath.Step]
    ) -> PagingCandidate? {
        guard case .text(let address)? = node?.value, isAddress(address),
            let path = JSONPath.checked(steps)
        else { return nil }
        return .init(
            pages: .object([("next", .text(path.description))]),
            sign: "\(path) has the address of a next page", second: .address(address))
    }

    private static func isAddress(_ text: String) -> Bool {
        let isLong = text.utf8.count > 8192
        return !isLong
            && ["http://", "https://", "/", "?"].contains { text.utf8.starts(with: $0.utf8) }
    }

    private static func cursorCandidates(_ body: JSONNode) -> [PagingCandidate] {
        cursors.flatMap { names, parameters -> [PagingCandidate] in
            guard let cursor = body.node(at: names).flatMap(cursor),
                let path = JSONPath.checked(names.map { .member($0) })
            else { return [] }
            return parameters.map { parameter in
                .init(
                    pages: .object([
                        ("cursor", .text(path.description)), ("as", .text(parameter)),
                    ]),
                    sign: "\(path) has the cursor of a next page",
                    second: .parameters([.init(name: parameter, value: cursor)]),
                    replaces: [parameter])
            }
        }
    }

    private static func cursor(_ node: JSONNode) -> String? {
        switch node.value {
        case .text(let text): (1...4096).contains(text.utf8.count) ? text : nil
        case .number: node.wholeNumber.map { "\($0)" }
        case .null, .bool, .list, .object: nil
        }
    }

    /// A field of a next page that is there and empty.
    private static func sleeping(_ body: JSONNode) -> Sleeping? {
        func isEmpty(_ names: [String]) -> Bool {
            var node = body
            for name in names {
                guard let member = node.members?.first(where: { $0.key == name })?.node else {
                    return false
                }
                if member.value == .null || member.value == .text("") {
                    // The object that has the address is not there while there is none. Any other may be empty for good.
                    return name == names.last || name == "next"
                }
                node = member
            }
            return false
        }
        for names in PageWords.addresses where isEmpty(names) {
            guard let path = JSONPath.checked(names.map { .member($0) }) else { continue }
            return Sleeping(
                path: path.description, pages: .object([("next", .text(path.description))]),
                isSure: true)
        }
        for (names, parameters) in cursors where isEmpty(names) {
            guard let path = JSONPath.checked(names.map { .member($0) }) else { continue }
            return Sleeping(
                path: path.description,
                pages: .object([
                    ("cursor", .text(path.description)), ("as", .text(parameters[0])),
                ]), isSure: false)
        }
        return nil
    }
}
