internal import Text

/// A way to the second page of a list that an answer hints at. Only the second page itself tells whether it is
/// right.
package struct PagingCandidate: Sendable, Hashable {
    /// How the second page is asked for.
    package enum Second: Sendable, Hashable {
        /// At this address, as the server wrote it.
        case address(String)
        /// By these parameters, before the list's own query.
        case parameters([Parameter])
    }

    /// A parameter of a query.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The value of `pages` in the declaration.
    let pages: JSONNode
    /// What in the answer hints at it.
    let sign: String
    package let second: Second
    /// Parameters that the list's own query must not have.
    let replaces: [String]
    /// Of a list of one page: the number that an answer repeats if the server takes the parameters; nil: the second
    /// page has other rows.
    let echo: Echo?

    /// A number in an answer.
    struct Echo: Sendable, Hashable {
        let path: [String]
        let number: Int64
    }

    init(
        pages: JSONNode, sign: String, second: Second, replaces: [String] = [], echo: Echo? = nil
    ) {
        self.pages = pages
        self.sign = sign
        self.second = second
        self.replaces = replaces
        self.echo = echo
    }

    /// The same without the place of a total that is none.
    var withoutTotal: PagingCandidate {
        guard let members = pages.members else { return self }
        let kept = members.filter { $0.key != "rows" }.map { (key: $0.key, node: $0.node) }
        let isLink = kept.count == 1 && kept[0].node.value == .text("link")
        return with(pages: isLink ? .text("link") : .object(kept.map { ($0.key, $0.node) }))
    }

    /// The same with the place of a total beside the way to the next page.
    func with(total place: String) -> PagingCandidate {
        let own = pages.members?.map { (key: $0.key, node: $0.node) } ?? [("next", pages)]
        return with(pages: .object(own.map { ($0.key, $0.node) } + [("rows", .text(place))]))
    }

    private func with(pages: JSONNode) -> PagingCandidate {
        PagingCandidate(
            pages: pages, sign: sign, second: second, replaces: replaces, echo: echo)
    }

    /// The path of the list, as the declaration would have it.
    package func list(_ list: String) -> String { SeenPath(list).without(replaces) }
}
