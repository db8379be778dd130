internal import Declarations
package import Text

/// What one answer of a server tells of a list: everything of a declaration but the pages, which a second
/// answer has to prove.
///
/// Pure: the caller asks for the second page of each candidate, in order, until one is confirmed.
package struct ListDraft: Sendable {
    private let seen: SeenList
    /// Below the base URL.
    private let list: String
    private let rows: FoundRows
    private let id: FoundID
    private let columns: FoundColumns
    private let signs: PagingSigns

    /// So many second pages are asked for at most.
    private static let mostTries = 6
    /// A list of so many rows looks like a page.
    private static let roundCounts: Set = [
        10, 15, 20, 25, 30, 40, 50, 60, 100, 200, 250, 500, 1000,
    ]

    /// Looks at the first answer.
    ///
    /// - Parameters:
    ///   - seen: The answer.
    ///   - list: The path below the base URL that it came from, with its query.
    /// - Throws: ``ProposalError`` where nothing can be proposed.
    package init(_ seen: SeenList, list: String) throws(ProposalError) {
        self.seen = seen
        self.list = list
        rows = try FoundRows.find(in: seen.body, target: seen.target)
        id = try FoundID.find(in: rows.rows)
        columns = try FoundColumns.find(in: rows.rows)
        signs = PagingSigns.read(seen, rows: rows.count)
    }

    /// The ways to a second page, the surest first.
    package var candidates: [PagingCandidate] { Array(signs.candidates.prefix(Self.mostTries)) }

    /// What became of a candidate.
    package enum Verdict: Sendable, Hashable {
        /// Its second page has so many rows, and other ids.
        case confirmed(rows: Int)
        /// It is not the way; why not.
        case refused(String)
    }

    /// Whether `second` is another page of the same list.
    package func judge(_ second: SeenList) -> Verdict {
        let found: FoundRows
        do throws(ProposalError) {
            found = try FoundRows.find(in: second.body, target: second.target)
        } catch {
            return .refused("it brings no rows")
        }
        guard found.path == rows.path else { return .refused("it is another kind of answer") }
        let known = Set(ids(of: rows))
        let new = ids(of: found).filter { !known.contains($0) }
        guard new.count * 2 > found.count else {
            return .refused("it brings the same rows again")
        }
        return .confirmed(rows: found.count)
    }

    private func ids(of rows: FoundRows) -> [String] {
        let names = id.path.names ?? []
        return rows.rows.compactMap { $0.node(at: names).flatMap(FoundID.text) }
    }

    /// The proposal.
    ///
    /// - Parameters:
    ///   - server: The value of `server` in the declaration.
    ///   - tried: The candidates that were tried, in order, and what became of them.
    /// - Returns: A declaration that is only read, and why each line is as it is.
    package func proposal(
        server: JSONNode, tried: [(candidate: PagingCandidate, verdict: Verdict)]
    ) -> ListProposal {
        let confirmed = tried.compactMap { item -> (PagingCandidate, Int)? in
            if case .confirmed(let rows) = item.verdict { (item.candidate, rows) } else { nil }
        }.first
        let path = confirmed?.0.list(list) ?? list
        let declaration = JSONNode.object([
            ("server", server), ("list", .text(path)),
            ("rows", rows.path == .root ? nil : .text(rows.path.description)),
            ("id", .text(id.path.description)), ("pages", confirmed?.0.pages ?? .text("none")),
            ("interval", .text("5m")),
            (
                "columns",
                .object(columns.columns.map { ($0.name, .text("\($0.type.rawValue) \($0.path)")) })
            ),
        ])
        return ListProposal(
            declaration: declaration,
            evidence: [
                .init("rows", "\(rows.path), \(rows.evidence)"),
                .init("id", "\(id.path), \(id.evidence)"),
                .init("pages", pages(confirmed, tried)),
                .init("interval", "5m, as for every list that says nothing else"),
            ]
                + columns.columns.map {
                    .init("columns.\($0.name)", "\($0.type.rawValue) \($0.path), \($0.evidence)")
                } + leftOut + writes,
            warnings: rows.warnings + id.warnings + warnings(confirmed != nil, tried))
    }

    private func pages(
        _ confirmed: (candidate: PagingCandidate, rows: Int)?,
        _ tried: [(candidate: PagingCandidate, verdict: Verdict)]
    ) -> String {
        guard let confirmed else {
            if let sleeping = signs.sleeping {
                return
                    "none: \(sleeping.path) names no next page. When the list grows, write \"pages\": "
                    + sleeping.pages.compact
            }
            return tried.isEmpty
                ? "none: nothing in the answer tells of a second page"
                : "none: no second page was found"
        }
        return
            "\(confirmed.candidate.pages.compact): \(confirmed.candidate.sign), and the second page has"
            + " \(confirmed.rows) \(confirmed.rows == 1 ? "row" : "rows") with other ids"
    }

    private var leftOut: [ListProposal.Evidence] {
        columns.leftOut.map { .init("columns", "left out: \($0); _document has all of it") }
    }

    private var writes: [ListProposal.Evidence] {
        let methods = seen.writeMethods
        guard !methods.isEmpty else { return [] }
        let calls = [
            methods.contains("POST") ? "\"create\": true" : nil,
            methods.contains("PATCH")
                ? "\"update\": true"
                : methods.contains("PUT") ? "\"update\": {\"method\": \"PUT\"}" : nil,
            methods.contains("DELETE") ? "\"delete\": true" : nil,
        ].compactMap { $0 }
        return [
            .init(
                "writes",
                "the server names \(methods.joined(separator: ", ")) here. To let programs write, add"
                    + " \(calls.joined(separator: ", ")), and \"write\" to the columns that they may give"
                    + " (docs/lists.md). May a client choose the id? Then \"once\" can name it")
        ]
    }

    private func warnings(
        _ isConfirmed: Bool, _ tried: [(candidate: PagingCandidate, verdict: Verdict)]
    ) -> [String] {
        guard !isConfirmed else { return [] }
        let refused = tried.compactMap { item -> String? in
            guard case .refused(let why) = item.verdict else { return nil }
            return "\(item.candidate.pages.compact) was tried: \(why)"
        }
        if let more = signs.more {
            return refused + [
                "the list is cut: \(more). Look in the server's documentation for its pages, and write"
                    + " \"pages\" by hand"
            ]
        }
        guard Self.roundCounts.contains(rows.count), signs.sleeping == nil else { return [] }
        return [
            "\(rows.count) rows is a round number: the list may be cut, though nothing says so. Look in the"
                + " server's documentation for its pages"
        ]
    }
}
