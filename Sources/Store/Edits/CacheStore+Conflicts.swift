internal import Declarations
internal import Rules
internal import SQLite
internal import Tables

extension CacheStore {
    /// The rows of the view `conflicts`, the oldest first: those of `list`, or of all lists where it is nil.
    public func conflicts(of list: String? = nil) throws(StoreError) -> [Conflict] {
        try read {
            try connection.all(
                "\(Self.selection) WHERE ?1 IS NULL OR list = ?1 ORDER BY seq", .text(list)
            ) { Self.conflict(in: $0) }
        }
    }

    /// How many there are.
    public func conflictCount() throws(StoreError) -> Int64 { try read { try countConflicts() } }

    /// How many there are; lives inside a transaction.
    func countConflicts() throws(SQLiteError) -> Int64 {
        try connection.count("SELECT count(*) FROM conflict")
    }

    /// Ends conflicts, so that their rows have the values of `side`: a value that a row does not have is written
    /// to it, as an `UPDATE` by any program would.
    ///
    /// One transaction, which ends all or none, and is durable when it returns. A number that is not there throws
    /// ``StoreError/unknownConflict(_:)``; what cannot be had throws ``StoreError/refused(_:)`` with a sentence
    /// that says what can be done.
    public func take(_ side: ConflictSide, of conflicts: [Int64]) throws(StoreError) {
        try write(.full) {
            let lists = try ListSchema(connection: connection).made()
            for sequence in conflicts {
                let found = try connection.first(
                    "\(Self.selection) WHERE seq = ?1", .integer(sequence)
                ) { Self.conflict(in: $0) }
                guard let found else { throw StoreError.unknownConflict(sequence) }
                let list = lists.first { $0.declaration.name.text == found.list }
                try end(found, side, in: list)
                try connection.run("DELETE FROM conflict WHERE seq = ?", .integer(sequence))
            }
        }
    }

    private func end(_ conflict: Conflict, _ side: ConflictSide, in list: ListTable?) throws {
        let (name, row) = (conflict.list, conflict.row)
        let seen = "if you have seen it, take theirs"
        switch conflict.ending(side) {
        case .isSeen: return
        case .needsRow:
            throw StoreError.refused(
                "conflict \(conflict.sequence): row \(row) of \(name) is not at the server any more: "
                    + "add it anew with `syncd add \(name)`, and then take theirs")
        case .needsDelete:
            throw StoreError.refused(
                "conflict \(conflict.sequence): row \(row) of \(name) was kept, because somebody else "
                    + "changed it: delete it again with `syncd rm \(name) \(row)`, and then take theirs"
            )
        case .edit(let value):
            guard let list, try connection.count(list.countOfRow, .integer(row)) == 1 else {
                throw StoreError.refused(
                    "conflict \(conflict.sequence): \(name) has no row \(row) any more: \(seen)")
            }
            guard let place = list.changeable.firstIndex(where: { $0.name == conflict.field })
            else {
                throw StoreError.refused(
                    "conflict \(conflict.sequence): \(conflict.field) of \(name) cannot be changed any "
                        + "more: \(seen)")
            }
            try write(value, at: place, to: row, of: list, for: conflict)
        }
    }

    private func write(
        _ value: Value, at place: Int, to row: Int64, of list: ListTable, for conflict: Conflict
    ) throws {
        do throws(SQLiteError) {
            try connection.run(list.change(of: [place]), .integer(row), value)
        } catch {
            guard case .refused(let sentence) = StoreError(error, path: path) else { throw error }
            throw StoreError.refused("conflict \(conflict.sequence): \(sentence)")
        }
    }

    private static let selection = """
        SELECT seq, at, list, row_id, field, why, mine, theirs FROM conflicts
        """

    private static func conflict(in row: Statement) -> Conflict {
        Conflict(
            sequence: row.integer(0), at: row.text(1), list: row.text(2), row: row.integer(3),
            field: row.text(4),
            // The table's CHECK allows no other.
            reason: ConflictReason(rawValue: row.text(5)) ?? .edited, mine: row.value(6),
            theirs: row.value(7))
    }
}
