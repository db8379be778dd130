internal import Declarations
package import Text

/// What one answer of a server tells of a list: everything of a declaration but the pages, which a second
/// answer has to prove.
///
/// Pure: the caller asks for the second page of each candidate, in order, until one is confirmed.
package struct ListDraft: Sendable {
    let seen: SeenList
    /// Below the base URL.
    let list: String
    let rows: FoundRows
    let id: FoundID
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
        id = try FoundID.find(in: rows.rows, of: SeenPath(seen.target).lastPart)
        columns = try FoundColumns.find(in: rows.rows)
        signs = PagingSigns.read(seen, rows: rows.count)
    }

    /// The ways to a second page, the surest first.
    package var candidates: [PagingCandidate] { Array(signs.candidates.prefix(Self.mostTries)) }

    /// Whether nothing tells of a page behind this one, which proves little: a list that is cut can look so.
    package var tellsNothing: Bool {
        rows.count > 1 && signs.candidates.isEmpty && signs.sleeping == nil && signs.more == nil
    }

    /// Whether an answer of the list is the row at `index` of the first answer, and nothing else.
    func isRow(_ index: Int, in answer: SeenList) -> Bool {
        guard let found = try? FoundRows.find(in: answer.body, target: answer.target),
            found.path == rows.path, found.count == 1
        else { return false }
        let known = ids(of: rows)
        return known.indices.contains(index) && ids(of: found) == [known[index]]
    }

    /// What became of a candidate.
    package enum Verdict: Sendable, Hashable {
        /// Its second page has so many rows, and other ids.
        case confirmed(rows: Int)
        /// The same, but what the answer says of the total is the length of a page, or the second page has none.
        case confirmedWithoutTotal(rows: Int)
        /// There is no second page yet, and the server takes the parameters.
        case taken

        /// Whether it is the way.
        package var isConfirmed: Bool {
            if case .refused = self { false } else { true }
        }
        /// It is not the way; why not.
        case refused(String)
    }

    /// Whether `second` is another page of the same list, or shows that the server takes the parameters of `candidate`.
    package func judge(_ second: SeenList, of candidate: PagingCandidate) -> Verdict {
        if let echo = candidate.echo {
            return second.body.node(at: echo.path)?.wholeNumber == echo.number
                ? .taken : .refused("the server does not say that it takes the parameters")
        }
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
        return hasTotal(in: second, found.count)
            ? .confirmed(rows: found.count) : .confirmedWithoutTotal(rows: found.count)
    }

    /// At some servers the word for a total is the length of the page, or not every page has it.
    private func hasTotal(in second: SeenList, _ count: Int) -> Bool {
        let first = Counts(seen, rows: rows.count).total
        let next = Counts(second, rows: count).total
        guard let first else { return true }
        guard let next, first.place == next.place else { return false }
        return first.count == next.count || first.count != Int64(rows.count)
    }

    /// Whether a column of this name is proposed.
    func hasColumn(_ name: String) -> Bool { columns.columns.contains { $0.name == name } }

    func ids(of rows: FoundRows) -> [String] {
        let names = id.path.names ?? []
        return rows.rows.compactMap { $0.node(at: names).flatMap(FoundID.text) }
    }

    /// The proposal.
    ///
    /// - Parameters:
    ///   - server: The value of `server` in the declaration.
    ///   - tried: The candidates that were tried, in order, and what became of them.
    ///   - neighbours: Lists of the same server and account whose rows its own can name.
    /// - Returns: A declaration that is only read, and why each line is as it is.
    package func proposal(
        server: JSONNode, tried: [(candidate: PagingCandidate, verdict: Verdict)],
        beside neighbours: [NeighbourList] = []
    ) -> ListProposal {
        let references = columns.columns.map {
            FoundReference.find(in: rows.rows, $0, of: neighbours)
        }
        let confirmed = tried.first { $0.verdict.isConfirmed }.map { item in
            guard case .confirmedWithoutTotal = item.verdict else { return item }
            return (item.candidate.withoutTotal, item.verdict)
        }
        let path = confirmed?.0.list(list) ?? list
        let sleeping = signs.sleeping.flatMap { $0.isSure ? $0.pages : nil }
        let declaration = JSONNode.object([
            ("server", server), ("list", .text(path)),
            ("rows", rows.path == .root ? nil : .text(rows.path.description)),
            ("id", .text(id.path.description)),
            ("pages", confirmed?.0.pages ?? sleeping ?? .text("none")),
            ("interval", .text("5m")),
            (
                "columns",
                .object(
                    zip(columns.columns, references).map { column, reference in
                        let plain = JSONNode.text("\(column.type.rawValue) \(column.path)")
                        return (column.name, reference?.column(at: column.path) ?? plain)
                    })
            ), ("label", label.map { .text($0) }),
        ])
        return ListProposal(
            declaration: declaration,
            evidence: [
                .init("rows", "\(rows.path), \(rows.evidence)"),
                .init("id", "\(id.path), \(id.evidence)"),
                .init("pages", pages(confirmed, tried)),
                .init("interval", "5m, as for every list that says nothing else"),
            ]
                + zip(columns.columns, references).map { column, reference in
                    let plain = "\(column.type.rawValue) \(column.path), \(column.evidence)"
                    return .init(
                        "columns.\(column.name)", reference?.evidence(at: column.path) ?? plain)
                } + labelEvidence + leftOut + writes,
            warnings: rows.warnings + id.warnings + guesses + warnings(confirmed != nil, tried))
    }

    private func pages(
        _ confirmed: (candidate: PagingCandidate, verdict: Verdict)?,
        _ tried: [(candidate: PagingCandidate, verdict: Verdict)]
    ) -> String {
        guard let confirmed else {
            if let sleeping = signs.sleeping {
                guard !sleeping.isSure else {
                    return
                        "\(sleeping.pages.compact): \(sleeping.path) names the next page when there is"
                        + " one, and names none now"
                }
                return
                    "none: \(sleeping.path) names no next page. When the list grows, write \"pages\": "
                    + sleeping.pages.compact
            }
            return tried.isEmpty
                ? "none: nothing in the answer tells of a second page"
                : "none: no second page was found"
        }
        let what = "\(confirmed.candidate.pages.compact): \(confirmed.candidate.sign), and "
        switch confirmed.verdict {
        case .taken: return what + "the server takes the parameters; there is one page now"
        case .confirmed(let rows): return what + Self.secondPage(rows)
        case .confirmedWithoutTotal(let rows):
            return what + Self.secondPage(rows)
                + ". What it says of the total is not that of the list"
        case .refused(let why): return what + why
        }
    }

    private static func secondPage(_ rows: Int) -> String {
        "the second page has \(rows) \(rows == 1 ? "row" : "rows") with other ids"
    }

    /// The text that names a row where none has a usual name: the first one that is no moment, no address and no id.
    private var label: String? {
        let texts = columns.columns.filter { $0.type == .text && !$0.isGuess }
        let isUsual = texts.contains { Declaration.usualLabels.contains($0.name.lowercased()) }
        guard !isUsual else { return nil }
        return texts.first { column in
            column.path != id.path && column.path.names.map(tells) ?? false
        }?.name
    }

    private func tells(_ names: [String]) -> Bool {
        let rows = rows.rows.prefix(100)
        let values = rows.compactMap { row -> String? in
            if case .text(let text)? = row.node(at: names)?.value { text } else { nil }
        }
        return values.count == rows.count && Set(values).count == values.count
            && values.allSatisfy { text in
                HumanTime.milliseconds(iso: text) == nil && !text.contains("://")
                    && !text.hasPrefix("/")
            }
    }

    private var labelEvidence: [ListProposal.Evidence] {
        label.map {
            [.init("label", "\($0), which names a row: the first text that tells rows apart")]
        }
            ?? []
    }

    /// Told also where the reasons are not.
    private var guesses: [String] {
        let names = columns.columns.filter(\.isGuess).map(\.name)
        guard !names.isEmpty else { return [] }
        return [
            "no row has a value of \(names.joined(separator: ", ")) yet: text is a guess, so correct"
                + " the type when you know it"
        ]
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
