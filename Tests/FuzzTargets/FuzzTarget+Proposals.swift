import APIClient
import Declarations
import Proposals
import Text

extension FuzzTarget {
    /// An answer as ``FuzzedAnswer`` reads it, to the question for a list that nobody has declared. It is its
    /// own second page, too.
    ///
    /// Laws: what is proposed is a declaration that is taken. It is only read, and its columns have
    /// plain names. A list that repeats itself has no pages, unless it has a place for the address of a
    /// next one, and cannot be asked for what has changed. Errors are safe, and say what to do.
    static let proposals = FuzzTarget("proposals") { bytes in
        guard let answer = FuzzedAnswer(bytes)?.response else { return }
        var body = answer.body
        do throws(BodyCheckError) {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
        } catch {
            return
        }
        var proposal: ListProposal
        do throws(ProposalError) {
            let seen = try SeenList(answer, body: body, target: "/notes?page=1")
            let draft = try ListDraft(seen, list: "/notes?page=1")
            let tried = draft.candidates.map { (candidate: $0, verdict: draft.judge(seen, of: $0)) }
            proposal = draft.proposal(
                server: .object([("baseURL", .text("https://example.org"))]), tried: tried)
            if let since = changes(of: draft, each: seen) {
                proposal.add(since, read: RowCandidate.all(draft).first?.judge(seen))
            }
        } catch {
            try Hazard.requireNone(in: error.description, "an error")
            try require(
                error.description.utf8.count < 1000 && !error.hint.isEmpty, "an error is a sentence"
            )
            return
        }
        let text = String(decoding: proposal.declaration.lines, as: UTF8.self)
        let declaration: Declaration
        do throws(DeclarationError) {
            declaration = try Declaration.read(
                proposal.declaration.lines, name: ListName(kept: "notes"),
                rules: .init(problem: { _ in nil }, isOwnMachine: { _ in false })
            ).declaration
        } catch {
            throw BrokenLaw(description: "what is proposed is taken, not \(error): \(text)")
        }
        try require(declaration.since == nil, "the same rows are no changes: \(text)")
        try require(declaration.isReadOnly, "nothing is switched on: \(text)")
        if case .next = declaration.paging {
            // It names no next page yet.
        } else {
            try require(declaration.paging == .none, "a second page has other rows: \(text)")
        }
        for line in text.split(separator: "\n") {
            try Hazard.requireNone(in: String(line), "a line")
        }
        for column in declaration.columns where column.field != nil {
            try require(
                column.name.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                }, "a name is plain: \(column.name)")
        }
    }
}

/// What `declare` finds if each question for changes has the answer `seen`.
private func changes(of draft: ListDraft, each seen: SeenList) -> FoundSince? {
    guard var search = SinceSearch(draft) else { return FoundSince.unfit(draft) }
    while let question = search.question { search.take(.seen(seen), to: question) }
    return search.finding
}
