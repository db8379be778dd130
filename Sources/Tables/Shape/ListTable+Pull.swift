internal import Declarations

/// The statements of a pull, in the order of their use. `?1` and `?2` are told with each.
public struct PullStatements: Sendable, Hashable {
    /// Make the temporary tables, where they are not there.
    public let prepare: [String]
    /// Remove them: they were made for another form of the table.
    public let remove: [String]
    /// Empty them.
    public let clear: [String]
    /// What is around the rows of a page: `?1` the body. Its type, the type of what should be the list, how
    /// many rows that has, the next page, the number of pages and of rows as the body tells them, the list, where it
    /// is not the body, and the text from which the next increment asks.
    public let envelope: String
    /// How many rows a list has: `?1` the rows. None where it is not valid.
    public let countRows: String
    /// Takes the usable rows of a page: `?1` a list of rows, `?2` how many rows stand before, `?3` the number of the page.
    public let stage: String
    /// Names the rows that cannot be taken: `?1` and `?2` as for ``stage``. Their place, their type, the type of their id,
    /// whether that is usable, and the first required column that is missing, with its type.
    public let nameSkipped: String
    /// Takes the rows of an unchanged page from the table: `?1` the page's ids as a JSON list, `?2` its
    /// number.
    public let stageUnchanged: String
    /// How many rows of a page no other page has: `?1` its number.
    public let countNew: String
    /// Forgets what was staged of a page: `?1` its number.
    public let forgetPage: String
    /// How many bytes the staged rows of a page have: `?1` its number.
    public let countBytes: String
    /// Reads the columns of what was staged, in its order, from which each row gets its rank: `?1` the position behind
    /// which to begin, `?2` how many rows. A row on two pages counts where it stands first.
    public let read: String
    /// The position of the last row that ``read`` reads, with the same values; NULL where none is left.
    public let lastRead: String
    /// Note in which rows list and table differ. What was noted before is forgotten first. Then come the rows of
    /// the list that the table does not have so, and last those of the table that the list does not have.
    public let compare: [String]
    /// Notes the differing rows that are new.
    public let noteNew: String
    /// Notes the differing rows whose document changes, as they are.
    public let noteChanged: String
    /// Brings the table to the differing rows: `?1` the moment.
    public let upsert: String
}

extension ListTable {
    var pullStatements: PullStatements {
        PullStatements(
            prepare: [
                createStaged, indexStaged, createProjected, createDiffering, createMissing,
                createTouched,
            ] + [createBuried, createAside].compactMap { $0 } + (PartedTable(self)?.prepare ?? []),
            remove: temporary.map { "DROP TABLE IF EXISTS temp.\($0)" },
            clear: temporary.map { "DELETE FROM temp.\($0)" },
            envelope: envelope,
            countRows: "SELECT iif(json_valid(?1), json_array_length(?1), 0)", stage: stage,
            nameSkipped: nameSkipped,
            stageUnchanged: stageUnchanged, countNew: countNew,
            forgetPage: "DELETE FROM temp.\(staged) WHERE \(isOnPage("?1"))",
            countBytes: """
                SELECT ifnull(sum(length(CAST(document AS BLOB))), 0) FROM temp.\(staged)
                WHERE \(isOnPage("?1"))
                """, read: read, lastRead: lastRead, compare: compare,
            noteNew: noteNew, noteChanged: noteChanged, upsert: upsert(isWhole: true))
    }

    private var temporary: [SQLName] {
        [staged, projected, differing, missing, touched] + (createBuried == nil ? [] : [buried])
            + (createAside == nil ? [] : [aside])
            + (PartedTable(self)?.temporary ?? [])
    }

    private var createStaged: String {
        """
        CREATE TEMP TABLE IF NOT EXISTS \(staged) (
            -- The number of its page times 10 000 000, and its place on it.
            position INTEGER PRIMARY KEY,
            key \(keyType) NOT NULL,
            document TEXT NOT NULL
        ) STRICT
        """
    }

    private var indexStaged: String {
        "CREATE INDEX IF NOT EXISTS temp.\(SQLName("keys of \(staged.name)")) ON \(staged) (key)"
    }

    private var createProjected: String {
        let columns = fields.map { "\(part($0.column.name)) \($0.column.servedType),\n    " }
            .joined()
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(projected) (
                rank INTEGER PRIMARY KEY,
                \(columns)position INTEGER NOT NULL,
                key \(keyType) NOT NULL UNIQUE
            ) STRICT
            """
    }

    /// The rows of the list that the table does not have, or not so.
    private var createDiffering: String {
        "CREATE TEMP TABLE IF NOT EXISTS \(differing) (rank INTEGER PRIMARY KEY) STRICT"
    }

    /// The rows of the table that the list does not have.
    private var createMissing: String {
        "CREATE TEMP TABLE IF NOT EXISTS \(missing) (row_id INTEGER PRIMARY KEY) STRICT"
    }

    /// The rows that a pull adds, changes or removes, as they were.
    private var createTouched: String {
        let columns = remembered.map { ",\n    \(part($0)) ANY" }.joined()
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(touched) (
                key \(keyType) PRIMARY KEY NOT NULL,
                -- NULL: the row is new.
                row_id INTEGER\(columns)
            ) STRICT
            """
    }

    /// What full text and history need of a row as it was. A full text with words of its own needs nothing.
    var remembered: [String] {
        let told = declaration.history.map { [label?.name, $0].compactMap { $0 } }
        let names = (isWritable ? [] : declaration.search) + (told ?? [])
        return declaration.columns.map(\.name).filter { names.contains($0) }
    }

    /// A column in a temporary table, beside those that every such table has.
    func part(_ name: String) -> SQLName { SQLName("c_" + name) }

    /// The columns of a row as it was, for ``createTouched``.
    func asItWas(_ row: String) -> String {
        (["\(row).\(key)", "\(row).\(id)"] + remembered.map { "\(row).\(SQLName($0))" })
            .joined(separator: ", ")
    }
}
