/// What a run has beside the tables, by chance.
struct Setting: Sendable {
    let recursiveTriggers: Bool
    let foreignKeys: Bool
    let trustedSchema: Bool
    /// An edit wins over what another client wrote meanwhile; otherwise the server's value does.
    let editsWin: Bool
    /// syncd writes to the queue alone as a program would: the triggers on the tables see what follows.
    let opensQueue: Bool
    /// A person's own index and log.
    let hasIndex: Bool
    let hasLog: Bool
    /// A person's trigger that gives each new row with the title c the body x.
    let editsNewRows: Bool
    /// A person's trigger that gives each row whose title becomes b the body y.
    let editsTitledRows: Bool
    /// The run begins with three rows of the server, and half of its steps are syncd's.
    let isBusy: Bool

    init(seed: UInt64, _ random: inout SeededGenerator) {
        recursiveTriggers = random.happens(50)
        foreignKeys = random.happens(50)
        trustedSchema = random.happens(50)
        editsWin = random.happens(30)
        opensQueue = random.happens(40)
        hasIndex = random.happens(30)
        hasLog = random.happens(30)
        editsNewRows = random.happens(25)
        editsTitledRows = random.happens(25)
        isBusy = seed % 2 == 1
    }

    /// What makes it so in a database. Settings that no run can tell apart have the same script, so that
    /// their runs can take turns with one database.
    var script: String {
        let isProgram = "(SELECT applying FROM control) IS NOT 'notes'"
        var lines = [
            "PRAGMA recursive_triggers = \(recursiveTriggers ? 1 : 0);",
            "PRAGMA foreign_keys = \(foreignKeys ? 1 : 0);",
            "PRAGMA trusted_schema = \(trustedSchema ? 1 : 0);",
        ]
        if hasIndex { lines.append("CREATE INDEX own_index ON notes (title);") }
        if hasLog {
            lines.append("CREATE TABLE own_log (title);")
            for (verb, row) in [("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")] {
                lines.append(
                    """
                    CREATE TRIGGER own_log_\(verb) AFTER \(verb) ON notes
                    BEGIN INSERT INTO own_log VALUES (\(row).title); END;
                    """)
            }
        }
        if editsNewRows {
            lines.append(
                """
                CREATE TRIGGER own_insert AFTER INSERT ON notes WHEN \(isProgram) AND NEW.title = 'c'
                BEGIN UPDATE notes SET body = 'x' WHERE id = NEW.id; END;
                """)
        }
        if editsTitledRows {
            lines.append(
                """
                CREATE TRIGGER own_update AFTER UPDATE OF title ON notes
                WHEN \(isProgram) AND NEW.title = 'b'
                BEGIN UPDATE notes SET body = 'y' WHERE id = NEW.id; END;
                """)
        }
        return lines.joined(separator: "\n")
    }
}
