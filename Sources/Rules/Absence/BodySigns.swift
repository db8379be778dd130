package import Declarations
package import Text

/// What the body of an answer tells, beside its rows, of a longer list of which it is one page.
///
/// A sign only ever makes a pull less complete: servers tell wrong ones, too.
package struct BodySigns: Sendable, Hashable {
    /// How many rows there are in all; nil where the body does not say.
    package let totalRows: Int64?
    /// Whether it names a next page, or says that there is more.
    package let namesMore: Bool

    /// Reads `outline`, a body of which the elements of long lists may be missing, with its rows at `rows`.
    package init(_ outline: JSONNode, around rows: JSONPath) {
        let names = rows.names ?? []
        // The nearest object first: what stands there is about these rows.
        let nodes = (0..<names.count).reversed().flatMap { length in
            PageWords.parents.compactMap { parent in
                outline.node(at: Array(names.prefix(length)) + parent)
            }
        }
        func first<Value>(_ names: [String], _ value: (JSONNode) -> Value?) -> Value? {
            for name in names {
                for node in nodes {
                    if let found = node.node(at: [name]).flatMap(value) { return found }
                }
            }
            return nil
        }
        totalRows = first(PageWords.totals + [PageWords.weakTotal]) { $0.wholeNumber }
        let pages = first(PageWords.pageTotals) { $0.wholeNumber }
        namesMore =
            first(PageWords.flags) { $0.value == .bool(true) ? true : nil } == true
            || first(PageWords.nextNames) { $0.namesSomething ? true : nil } == true
            || totalRows == nil && pages ?? 1 > 1
    }
}

extension JSONNode {
    /// Whether it is an address, a number or a cursor, or has one in it.
    fileprivate var namesSomething: Bool {
        switch value {
        case .null, .bool: false
        case .number: true
        case .text(let text): !text.isEmpty
        case .list(let items): !items.isEmpty
        case .object(let members): members.contains { $0.node.namesSomething }
        }
    }
}
