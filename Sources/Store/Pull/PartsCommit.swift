internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// What a pull of parts does inside its transaction.
struct PartsCommit {
    let connection: Connection
    let table: ListTable
    let sql: PartStatements
    let pull: PartsPull

    private var listName: Value { .text(table.declaration.name.text) }

    /// Notes beside the cache which parts were read to their end.
    func noteRead() throws {
        try connection.run(sql.beginNoting)
        for read in pull.read {
            guard let pulls = read.pullsToLeave else { continue }
            try connection.run(
                sql.noteRead, .text(read.part.name), .integer(pull.firstCount(pulls)))
        }
        try connection.run(sql.noteLost, .integer(pull.roundsToLeave))
    }

    /// Notes which rows leave by this pull, and those of them that the server says it has no more.
    func noteLeaving(_ gone: Set<Int64>) throws {
        try connection.run(sql.noteLeaving[0])
        for statement in sql.noteLeaving.dropFirst() {
            try connection.run(
                statement, .integer(pull.round), .flag(pull.endsRound),
                .integer(pull.roundsToLeave))
        }
        for row in gone { try connection.run(sql.addLeaving, .integer(row)) }
    }

    /// Whether the row leaves.
    func leaves(_ row: Int64) throws -> Bool {
        try connection.count(sql.isLeaving, .integer(row)) == 1
    }

    func countMisses() throws {
        try connection.run(sql.forgetMisses)
        try connection.run(sql.countMisses, .integer(pull.round))
    }

    /// Writes down how each part was read. Only for a pull that was taken.
    func write(now: WallTime) throws {
        let ends = pull.endsRound
        for read in pull.read {
            try connection.run(
                """
                INSERT INTO part (list, part, read_boot, read_ms, read_at, round, complete, changed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                ON CONFLICT (list, part) DO UPDATE SET read_boot = ?3, read_ms = ?4, read_at = ?5,
                    round = coalesce(?6, round), complete = ?7, changed = ?8, wanted = 0, error = NULL
                """, listName, .text(read.part.name), .text(read.began.boot),
                .integer(read.began.milliseconds), .integer(now.milliseconds),
                read.pullsToLeave == nil ? .null : .integer(pull.round),
                .flag(read.pullsToLeave != nil), .text(read.part.watchedNow))
        }
        for failure in pull.failed { try note(failure) }
        for part in try connection.all(sql.wanted, row: { $0.text(0) }) {
            try connection.run(
                "UPDATE part SET wanted = 1 WHERE list = ? AND part = ?", listName, .text(part))
        }
        // The row above can have left since the pull began.
        if ends || sql.forgetLeft != nil { try connection.run(sql.forgetLost) }
        guard ends else { return }
        try connection.run(
            "UPDATE sync_state SET round = ?2 WHERE list = ?1", listName,
            .integer(pull.round + 1))
    }

    private func note(_ failure: PartsPull.PartFailure) throws {
        try connection.run(
            """
            INSERT INTO part (list, part, error, round) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (list, part) DO UPDATE SET error = ?3, round = coalesce(?4, round), wanted = 0
            """, listName, .text(failure.name), .text(failure.error),
            failure.isRefusal ? .integer(pull.round) : .null)
    }
}

@available(*, unavailable) extension PartsCommit: Sendable {}
