internal import Text

/// What an answer tells of further pages.
struct PagingSigns: Sendable, Hashable {
    /// The surest first.
    let candidates: [PagingCandidate]
    /// Why there must be more than one page; nil: nothing says so.
    let more: String?
    /// A field that names the next page, and names none now: the list has one page as yet.
    let sleeping: Sleeping?

    /// A way to the second page of a list that has none yet.
    struct Sleeping: Sendable, Hashable {
        let path: String
        /// The value of `pages` that reads it.
        let pages: JSONNode
        /// Whether it asks for the right page when there is one. The parameter of a cursor is a guess.
        let isSure: Bool
    }
}
