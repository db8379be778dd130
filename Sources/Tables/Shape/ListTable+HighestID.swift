internal import Declarations

/// No local id is used a second time, whatever becomes of SQLite's own count.
///
/// SQLite gives a row the id after the highest one in the table, and after that in `sqlite_sequence`, which any
/// program can empty or lower. So `highest_id` keeps the highest id of the rows that have left the table.
extension ListTable {
    /// Whether SQLite gives the ids.
    private var countsIDs: Bool { isWritable || declaration.ids == .local }

    /// The highest id of a row that has left.
    var highestID: String {
        "coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = \(listName)), 0)"
    }

    private var highestShown: String { "coalesce((SELECT max(\(id)) FROM \(table)), 0)" }
    var counted: String {
        "coalesce((SELECT seq FROM sqlite_sequence WHERE name = \(listName)), 0)"
    }

    /// Notes the id of a row that leaves, whoever deletes it. It is noted for all that are there, so that a
    /// statement that empties the table writes once.
    var left: [SchemaObject] {
        guard countsIDs else { return [] }
        let name = "\(declaration.name)_left"
        let newest = "max(OLD.\(id), \(highestShown))"
        return [
            SchemaObject(
                name: name,
                sql: """
                    CREATE TRIGGER \(SQLName(name)) AFTER DELETE ON \(table)
                    WHEN OLD.\(id) > \(highestID)
                    BEGIN
                    \(raise(to: newest).map { $0 + ";" }.joined(separator: "\n").indented)
                    END
                    """)
        ]
    }

    /// Before a row gets an id that another one has had. A row with the highest id comes and goes, which
    /// brings SQLite to count on from there: it counts for the whole statement of the program, and also for what a
    /// trigger inserts.
    /// Source: https://www.sqlite.org/autoinc.html
    var counting: SchemaObject {
        let name = "\(declaration.name)_count"
        return SchemaObject(
            name: name,
            sql: """
                CREATE TRIGGER \(SQLName(name)) BEFORE INSERT ON \(table)
                WHEN \(highestID) > \(highestShown) AND \(highestID) > \(counted)
                    AND \(isProgram)
                BEGIN
                    UPDATE control SET applying = \(listName);
                    INSERT INTO \(table) (\(id)) VALUES (\(highestID));
                    DELETE FROM \(table) WHERE \(id) = \(highestID);
                    UPDATE control SET applying = NULL;
                END
                """)
    }

    /// Notes every id that the table has, or that SQLite has counted, before rows leave that no trigger sees.
    public var keepIDs: [String] { countsIDs ? raise(to: "max(\(counted), \(highestShown))") : [] }

    /// Brings SQLite's count to the highest id, before a pull has it count on.
    package var countOn: [String] {
        guard countsIDs else { return [] }
        return [
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT \(listName), 0
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = \(listName))
            """,
            """
            UPDATE sqlite_sequence SET seq = \(highestID)
            WHERE name = \(listName) AND seq < \(highestID)
            """,
        ]
    }

    /// The highest id is `value` from now on, unless it is higher.
    func raise(to value: String) -> [String] {
        [
            """
            INSERT INTO highest_id (list, id) SELECT \(listName), 0
            WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = \(listName))
            """,
            "UPDATE highest_id SET id = max(id, \(value)) WHERE list = \(listName)",
        ]
    }
}
