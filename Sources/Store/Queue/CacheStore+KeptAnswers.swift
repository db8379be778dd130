internal import Declarations
public import Rules
internal import SQLite
public import Tables

/// Answers that a rule of another program did not let into the cache.
extension CacheStore {
    /// Keeps what one attempt came to, because a rule of another program refuses what an answer shows: it is settled
    /// when the next cycle begins, as long as the process lives.
    public func keep(_ settlements: [(OperationSequence, Settlement)], of table: ListTable) {
        keptAnswers[table.declaration.name, default: []] += settlements
    }

    /// Settles what was kept, each by itself. Throws what refuses one of them: then nothing of the list goes on.
    func settleKept(of table: ListTable) throws(StoreError) {
        let name = table.declaration.name
        guard let kept = keptAnswers.removeValue(forKey: name) else { return }
        var refusal: StoreError?
        for (place, (operation, settlement)) in kept.enumerated() {
            do throws(StoreError) {
                try write(.full) {
                    noteDataWritten()
                    let settled = try settle(operation, settlement, of: table)
                    try count(settled, of: table)
                    if settled.isOutOfTheWay {
                        try letGo(behind: operation, isDone: settled.isDone, of: table)
                    }
                }
            } catch {
                guard error.isOfOthers else {
                    keep(Array(kept[place...]), of: table)
                    throw error
                }
                keep([(operation, settlement)], of: table)
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    /// No cycle's replay has counted it.
    private func count(_ settled: Settled, of table: ListTable) throws(SQLiteError) {
        let column: String
        switch settled {
        case .done, .acknowledged, .withdrawn: column = "done"
        case .rejected: column = "rejected"
        case .inDoubt: column = "in_doubt"
        case .queued, .behind: return
        }
        try connection.run(
            "UPDATE sync_state SET \(column) = \(column) + 1 WHERE list = ?",
            .text(table.declaration.name.text))
    }
}

extension StoreError {
    /// Whether a trigger, an index or a foreign key of another program refuses the change, or a statement that is in
    /// one cannot be run.
    public var isOfOthers: Bool {
        switch self {
        case .refused, .constraint, .foreignKey, .statement: true
        default: false
        }
    }
}
