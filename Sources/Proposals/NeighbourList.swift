package import Declarations

/// A list of the same server and account that the cache has: fields of another list can name its rows.
package struct NeighbourList: Sendable, Hashable {
    /// Its name.
    package let name: ListName
    /// What the server calls its rows.
    package let ids: Set<String>

    /// A list whose rows the server calls `ids`.
    package init(_ name: ListName, ids: Set<String>) {
        self.name = name
        self.ids = ids
    }
}
