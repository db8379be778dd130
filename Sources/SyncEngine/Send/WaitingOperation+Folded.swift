package import Rules
internal import Store

extension WaitingOperation {
    /// What its turn is told by: each of the values in it, folded. Operations of equal ones go one after another.
    package var folded: [FoldedValue] {
        turn.utf8.split(separator: WaitingOperation.separator, omittingEmptySubsequences: false)
            .map { FoldedValue(String(Substring($0))) }
    }
}
