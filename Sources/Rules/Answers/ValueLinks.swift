/// Which values of a list an operation frees at the server, and which it takes: a server may keep a value for one row.
///
/// Law: an operation that takes a value goes behind each one that frees it. Two that take one do not wait for each
/// other. A value is one column's text, as servers may alter it.
package struct ValueLinks: Sendable, Hashable {
    /// Hash values of what the server does not have there any more after it. Two that share one only wait for each
    /// other.
    package var frees: [Int] = []
    /// Hash values of what the server has there after it, and does not have before.
    package var takes: [Int] = []

    /// No links.
    package init() {}

    /// The links of an operation. `base` has the value of each column that the server has, `own` the one that the
    /// operation leaves there; both are nil where there is none, or one too long to be a name.
    package init(base: [String?], own: [String?]) {
        for (column, (base, own)) in zip(base, own).enumerated() where base != own {
            if let base { frees.append(Self.hash(base, column)) }
            if let own { takes.append(Self.hash(own, column)) }
        }
    }

    private static func hash(_ value: String, _ column: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(column)
        hasher.combine(FoldedValue(value).inSmallLetters)
        return hasher.finalize()
    }
}
