import APIClient
import Declarations
import Proposals
import Text

/// An answer of a made-up server.
struct Seen {
    let target: String
    let fields: [HTTPField]
    let body: String

    init(_ target: String, _ body: String, _ fields: [(String, String)] = []) {
        self.target = target
        self.body = body
        self.fields = fields.map { HTTPField($0.0, $0.1) }
    }

    func list() throws -> SeenList {
        var bytes = Array(body.utf8)
        try BodyCheck.run(&bytes, maxDepth: BodyCheck.standardDepth)
        return try SeenList(
            HTTPResponse(status: 200, fields: fields, body: bytes), body: bytes, target: target)
    }

    func draft() throws -> ListDraft { try ListDraft(try list(), list: target) }

    /// What is proposed when the candidate that `pages` is asks for `second`, and all before it get the
    /// first page again.
    func proposal(second: Seen? = nil, at pages: Int = 0) throws -> ListProposal {
        let draft = try draft()
        var tried: [(candidate: PagingCandidate, verdict: ListDraft.Verdict)] = []
        for (index, candidate) in draft.candidates.enumerated() {
            let answer = index == pages ? second ?? self : self
            let verdict = draft.judge(try answer.list(), of: candidate)
            tried.append((candidate, verdict))
            if verdict.isConfirmed { break }
        }
        return draft.proposal(
            server: .object([("baseURL", .text("https://example.org"))]), tried: tried)
    }
}

extension ListProposal {
    /// A value of the declaration as JSON; nil where the key is not there.
    func value(_ key: String) -> String? {
        guard case .object(let members) = declaration.value else { return nil }
        return members.first { $0.key == key }?.node.compact
    }

    /// The columns as `name=type path`.
    var columns: [String] {
        guard case .object(let members) = declaration.value,
            case .object(let columns)? = members.first(where: { $0.key == "columns" })?.node.value
        else { return [] }
        return columns.map { column in
            if case .text(let text) = column.node.value { "\(column.key)=\(text)" } else { "?" }
        }
    }

    func evidence(_ key: String) -> String {
        evidence.filter { $0.key == key }.map(\.sentence).joined(separator: "\n")
    }

    /// What the project's own reader makes of it.
    func read() throws(DeclarationError) -> Declaration.File {
        try Declaration.read(
            declaration.lines, name: ListName(kept: "notes"),
            rules: .init(problem: { _ in nil }, isOwnMachine: { _ in false }))
    }
}

/// `count` rows from `first` on.
func rows(_ count: Int, from first: Int = 1) -> String {
    "["
        + (first..<first + count).map { "{\"id\": \($0), \"title\": \"t\($0)\"}" }
        .joined(separator: ", ") + "]"
}
