internal import Text

/// The call that shows one row of a list.
package struct FoundRead: Sendable, Hashable {
    /// The value of `read`.
    let value: JSONNode
    let sentence: String
}
