internal import Text

/// A list that comes whole as yet, and of which one row was asked for: a server that has pages shows them then.
///
/// The parameters that ask for one row have other names at other servers; those that a server does not know, it mostly
/// leaves alone.
package struct NarrowedList: Sendable {
    /// The ways to the second row, the surest first.
    package let candidates: [PagingCandidate]
    private let draft: ListDraft

    private static let names = ["per_page", "limit", "page_size"]
    private static let sign = "asked for one row, the server brings one"

    /// What asks for one row.
    package static let parameters = names.map { PagingCandidate.Parameter(name: $0, value: "1") }

    /// The path of the list without a length of its pages.
    package static func list(_ list: String) -> String { SeenPath(list).without(names) }

    /// What `narrow` tells, the answer to a request for one row of the list of `draft`; nil where it is not the first row,
    /// and nothing else.
    package init?(_ narrow: SeenList, of draft: ListDraft) {
        guard draft.isRow(0, in: narrow) else { return nil }
        self.draft = draft
        let signs = PagingSigns.read(narrow, rows: 1)
        let told = signs.candidates.filter { $0.echo == nil }
        candidates =
            told.map {
                Self.candidate($0.pages, "\(Self.sign), \($0.sign)", $0.second, $0.replaces)
            }
            + Self.guesses.map { name, parameter, value in
                Self.candidate(
                    .object([(name, .text(parameter))]), Self.sign,
                    .parameters([.init(name: parameter, value: value)]), [parameter])
            }
    }

    private static let guesses = [
        ("page", "page", "2"), ("offset", "offset", "1"), ("offset", "skip", "1"),
    ]

    /// The length of a page is the server's own: that of one row was for the question.
    private static func candidate(
        _ pages: JSONNode, _ sign: String, _ second: PagingCandidate.Second, _ replaces: [String]
    ) -> PagingCandidate {
        let members = (pages.members ?? []).filter { $0.key != "limit" }.map { ($0.key, $0.node) }
        return PagingCandidate(
            pages: members.isEmpty ? pages : .object(members), sign: sign,
            second: narrowed(second), replaces: replaces + names)
    }

    private static func narrowed(_ second: PagingCandidate.Second) -> PagingCandidate.Second {
        guard case .parameters(let given) = second else { return second }
        return .parameters(
            given + parameters.filter { own in !given.contains { $0.name == own.name } })
    }

    /// Whether `second` is the second row of the list.
    package func judge(_ second: SeenList, of candidate: PagingCandidate) -> ListDraft.Verdict {
        draft.isRow(1, in: second) ? .confirmed(rows: 1) : .refused("it brings another row")
    }
}
