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

    init(pages: JSONNode, sign: String, second: Second, replaces: [String] = []) {
        self.pages = pages
        self.sign = sign
        self.second = second
        self.replaces = replaces
    }

    /// The path of the list, as the declaration would have it.
    package func list(_ list: String) -> String { SeenPath(list).without(replaces) }
}
