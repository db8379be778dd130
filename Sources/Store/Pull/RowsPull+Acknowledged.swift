internal import Declarations
package import Host
package import Rules
internal import SQLite
internal import Tables

/// What a pull says of rows that the server has acknowledged.
extension RowsPull {
    /// The boot and the moment before which an answer is old enough for a pull that began at `began`.
    private func old(at began: BootTime) -> [Value] {
        [
            .text(began.boot),
            .integer(began.milliseconds - Witness.memory.wholeMilliseconds),
        ]
    }

    /// Passes over the rows that the pull does not show because it is older than their answer may be: for this pull
    /// they are as if it had shown them. But nothing is sent of such a row before a list shows it: its id may be
    /// another's by then.
    package mutating func passOverEchoes(began: BootTime) throws {
        echoes = []
        try connection.each(sql.echoes, old(at: began)) { echoes.insert($0.integer(0)) }
        for row in echoes {
            try connection.run("DELETE FROM \(sql.absent) WHERE row_id = ?", .integer(row))
            try connection.run(
                "INSERT OR IGNORE INTO unconfirmed (list, row_id) VALUES (?, ?)", listName,
                .integer(row))
        }
    }

    /// Whether anything is remembered of a row of the list.
    var remembers: Bool {
        get throws {
            try connection.count(
                "SELECT EXISTS (SELECT 1 FROM trail WHERE list = ?)", listName) == 1
        }
    }

    var marks: ListMarks { ListMarks(connection: connection, table: table) }

    /// Learns what the server makes of marks, from the new rows that the pull is the first list to show.
    func learnMarks() throws {
        guard let statement = sql.newMarks, try marks.known().map({ $0 == .kept }) ?? true else {
            return
        }
        let seen = try connection.all(statement) {
            MarkKeeping(sent: $0.text(0), shown: $0.textOrNil(1))
        }
        for keeping in seen { try marks.learn(keeping) }
    }

    /// The same from the rows that are found to be those of creates.
    func learnMarks(
        _ decisions: [(OpenOperation, DoubtResolution.Decision)], _ unowned: [UnownedRow],
        by adoption: Adoption
    ) throws {
        guard sql.newMarks != nil else { return }
        let rows = Dictionary(unowned.map { ($0.serverID, $0) }) { first, _ in first }
        for (create, decision) in decisions where create.kind == .create {
            guard case .adopt(let serverID) = decision, let row = rows[serverID],
                let keeping = adoption.keeping(sent: create.values, shown: row.values)
            else { continue }
            try marks.learn(keeping)
        }
    }

    /// Takes the row of a new row's id for that row if it is the server's form of what was sent. A list that began at
    /// `began`, before the answer, may show the row that had the id before. One with the mark of another create has the
    /// id now: ours is gone.
    func identifyNewRows(began: BootTime) throws {
        let rows = try connection.all(
            sql.newOtherwise, .text(began.boot), .integer(began.milliseconds)
        ) { row in
            let count = (row.columnCount - 2) / 2
            return (
                id: row.integer(0), document: row.text(1),
                sent: (0..<count).map { row.textOrNil(2 + $0) },
                shown: (0..<count).map { row.textOrNil(2 + count + $0) }
            )
        }
        guard !rows.isEmpty else { return }
        let adoption = Adoption(table.declaration, marks: nil, titleCut: nil)
        let writesOwnMarks = try marks.known() == .altered
        try connection.beginApplying(to: table)
        for row in rows
        where adoption.isWhatWasSent(row.sent, shown: row.shown, isKnown: false)
            && (writesOwnMarks || !adoption.hasOthersMark(row.sent, shown: row.shown))
        {
            for statement in sql.identify {
                try connection.run(statement, .integer(row.id), .text(row.document))
            }
        }
        try connection.endApplying()
    }

    /// Forgets what is remembered of rows that the pull shows as they are known.
    package func endWitnessed(began: BootTime) throws {
        guard try remembers else { return }
        try connection.run(sql.noteShown)
        try connection.run(sql.endWitnessed, old(at: began))
    }

    /// Decides about new rows that complete pulls do not show: as absence is decided, by two. One that the server only
    /// claimed to have made waits for the person. Another leaves, and what it was is told.
    package func decideNewRows(by absence: Absence) throws -> Int {
        let rows = ListRows(connection: connection, table: table)
        var found: [NewRow] = []
        try connection.each(sql.newRows, old(at: absence.pullBegan)) { found.append(NewRow($0)) }
        let beside = Set(self.beside.shown.map(\.row))
        var decided = 0
        for new in found where !self.beside.unknown.contains(new.row) {
            switch absence.meaning(missedSince: new.missedSince) {
            case .nothing: continue
            case .firstSight:
                try connection.run(
                    """
                    UPDATE trail SET missed_boot = ?3, missed_ms = ?4
                    WHERE list = ?1 AND row_id = ?2
                    """, listName, .integer(new.row), .text(absence.pullBegan.boot),
                    .integer(absence.pullBegan.milliseconds))
                continue
            case .agreed: break
            }
            // Another client can have moved it to another part.
            if let parts, try !parts.leaves(new.row) { continue }
            decided += 1
            let document = try rows.document(of: new.row, serverID: new.serverID)
            if beside.contains(new.row) {
                // It is at the server, and out of the list: it stays while it has an edit or a delete.
                try connection.run(
                    "UPDATE trail SET is_new = 0 WHERE list = ?1 AND row_id = ?2", listName,
                    .integer(new.row))
                continue
            } else if try rows.isLeaving(new.row) {
                // Nobody wants it any more.
            } else if new.isClaim {
                try rows.takeBack(new.row)
                continue
            } else {
                try rows.tell(.notTaken, of: new.row, mine: document)
            }
            // It gets its local id again if it comes after all.
            try connection.run(
                sql.rememberDeparted + " id = ?3", .text(absence.pullBegan.boot),
                .integer(absence.pullBegan.milliseconds), .integer(new.row))
            try RowEdits(connection: connection, table: table)?.recordGone(new.row)
            try rows.forget(new.row)
        }
        return decided
    }

    /// Lines that a later list has made untrue go by themselves.
    package func withdrawConflicts() throws {
        let lines = try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM conflict WHERE list = ? AND why = 'not taken')
            """, listName)
        guard lines == 1 else { return }
        for statement in sql.withdraw { try connection.run(statement) }
    }
}

/// A row that the server has acknowledged to have made, and that a list does not show.
private struct NewRow {
    let row: Int64
    let isClaim: Bool
    let missedSince: BootTime?
    let serverID: String

    init(_ found: Statement) {
        row = found.integer(0)
        isClaim = found.integer(1) == 1
        missedSince = found.bootTime(2)
        serverID = found.text(4)
    }
}
