internal import Declarations

/// The SQL of a list with columns of rows.
struct ReferringTable {
    let list: ListTable
    let columns: [(column: Column, parent: ReferredList)]

    init?(_ list: ListTable) {
        columns = list.declaration.references.compactMap { column in
            ReferredList(column).map { (column, $0) }
        }
        guard !columns.isEmpty else { return nil }
        self.list = list
    }

    private var name: ListName { list.declaration.name }
    private var refers: SQLName { SQLName("r_\(name)") }
    var writable: WritableTable? { list.isWritable ? WritableTable(list: list) : nil }
    /// Where the documents are, and under which number.
    private var known: (table: SQLName, id: SQLName, document: SQLName) {
        writable.map { ($0.known, SQLName("id"), SQLName("document")) }
            ?? (list.table, list.id, list.name(of: .document))
    }

    private func part(_ column: Column) -> SQLName { list.part(column.name) }

    var tables: [SchemaObject] {
        let parts = columns.map { ",\n    \(part($0.column)) TEXT" }.joined()
        let table = SchemaObject(
            name: refers.name,
            sql: "CREATE TABLE \(refers) (\n    row_id INTEGER PRIMARY KEY\(parts)\n) STRICT")
        return [table]
            + columns.map { column, _ in
                let name = "\(refers.name) by \(column.name)"
                return SchemaObject(
                    name: name,
                    sql: """
                        CREATE INDEX \(SQLName(name)) ON \(refers) (\(part(column)))
                        WHERE \(part(column)) IS NOT NULL
                        """)
            }
    }

    var statements: ReferenceStatements {
        ReferenceStatements(
            list: name, keep: keep,
            fill: [
                "DELETE FROM \(refers)",
                """
                INSERT INTO \(refers) SELECT known.\(known.id)\(values("known"))
                FROM \(known.table) AS known WHERE json_valid(known.\(known.document))
                """,
            ], followers: columns.map(follower), waits: waits, law: law, waiting: waiting)
    }

    private var law: String {
        let projection = Projection(document: "known.\(known.document)")
        let differs = columns.map {
            "refers.\(part($0.column)) IS NOT (\(projection.value($0.column)))"
        }
        return """
            SELECT 'what a row of \(name) refers to is what its document says', known.\(known.id)
            FROM \(known.table) AS known LEFT JOIN \(refers) AS refers ON refers.row_id = known.\(known.id)
            WHERE refers.row_id IS NULL OR \(differs.anyHolds)
            """
    }

    private func values(_ row: String) -> String {
        let projection = Projection(document: "\(row).\(known.document)")
        return columns.map { ",\n    \(projection.value($0.column))" }.joined()
    }

    private var keep: [String] {
        let projection = Projection(document: "NEW.\(known.document)")
        let changes = columns.map { "\(part($0.column)) = \(projection.value($0.column))" }
        let differs = columns.map { "\(part($0.column)) IS NOT \(projection.value($0.column))" }
        func trigger(_ suffix: String, _ event: String, _ body: String) -> String {
            """
            CREATE TEMP TRIGGER IF NOT EXISTS \(SQLName("\(refers.name)_\(suffix)"))
            AFTER \(event) ON main.\(known.table)
            BEGIN
            \(body.indented)
            END
            """
        }
        return [
            trigger(
                "insert", "INSERT", "INSERT INTO \(refers) SELECT NEW.\(known.id)\(values("NEW"));"),
            trigger(
                "update", "UPDATE OF \(known.document)",
                """
                UPDATE \(refers) SET \(changes.joined(separator: ",\n    "))
                WHERE row_id = NEW.\(known.id) AND (\(differs.anyHolds));
                """),
            trigger("delete", "DELETE", "DELETE FROM \(refers) WHERE row_id = OLD.\(known.id);"),
        ]
    }

    private func follower(
        _ column: Column, _ parent: ReferredList
    ) -> ReferenceStatements.Follower {
        let shown = SQLName(column.name)
        let now = "(SELECT number FROM temp.following WHERE row_id = "
        var leave: [String] = []
        var show = [
            """
            UPDATE \(list.table) SET \(shown) = \(now)\(list.table).\(list.id))
            WHERE \(list.id) IN (SELECT row_id FROM temp.following)
            """
        ]
        var isAs = """
            EXISTS (SELECT 1 FROM \(list.table) AS shown
                WHERE shown.\(list.id) = following.row_id AND shown.\(shown) IS NOT following.number)
            """
        if let writable {
            leave = [
                "DELETE FROM temp.following WHERE \(writable.isOwn(column, of: "following.row_id"))"
            ]
            show.append(
                """
                UPDATE \(writable.hidden) SET \(part(column)) = \(now)\(writable.hidden).id)
                WHERE id IN (SELECT row_id FROM temp.following)
                """)
            isAs += """
                 OR EXISTS (SELECT 1 FROM \(writable.hidden) AS hidden
                    WHERE hidden.id = following.row_id AND hidden.\(part(column)) IS NOT following.number)
                """
        }
        leave.append("DELETE FROM temp.following WHERE NOT (\(isAs))")
        let state = writable.map { "shown.\($0.state)" } ?? "NULL"
        return ReferenceStatements.Follower(
            list: column.reference?.list ?? name, watch: parent.watch,
            find: """
                INSERT OR IGNORE INTO temp.following (row_id, number)
                SELECT refers.row_id, \(parent.row(called: "refers.\(part(column))"))
                FROM temp.referred AS referred CROSS JOIN \(refers) AS refers
                    ON refers.\(part(column)) = referred.key
                WHERE referred.list = \(SQLText(parent.name)) AND referred.field = \(SQLText(parent.field))
                """, leave: leave, show: show,
            tell: """
                INSERT INTO change (list, change, row_id, title, state)
                SELECT \(list.listName), 'changed', shown.\(list.id), \(list.title("shown")), \(state)
                FROM temp.following AS following CROSS JOIN \(list.table) AS shown
                    ON shown.\(list.id) = following.row_id
                WHERE (SELECT paused FROM control) IS NOT \(list.listName) ORDER BY following.row_id
                """,
            seeds: seeds(column, parent),
            step: """
                SELECT \(SQLText(parent.name)), \(parent.row(called: "refers.\(part(column))")), above.seq
                FROM above CROSS JOIN \(refers) AS refers ON refers.row_id = above.row_id
                WHERE above.list = \(list.listName) AND refers.\(part(column)) IS NOT NULL
                """)
    }

    /// A row stands where the server has shown it, and it may stand where it was sent to. A move that was refused counts,
    /// too: a server that removes what stands below a row would take away what a
    /// program has just moved. An edit that waits beneath the delete of its own row is never sent: the delete counts, and
    /// not it, or a row that refers to itself would wait for itself.
    private func seeds(_ column: Column, _ parent: ReferredList) -> [String] {
        guard let writable else { return [] }
        let above = parent.row(called: "refers.\(part(column))")
        let sent = writable.sentRow(column, in: "operation.sent")
        let own = writable.ownValue(of: column)
        let isDeleted = writable.has("operation.row_id", "kind = 'delete'")
        return [
            """
            SELECT \(SQLText(parent.name)), \(above), operation.seq
            FROM operation CROSS JOIN \(refers) AS refers ON refers.row_id = operation.row_id
            WHERE operation.list = \(list.listName) AND refers.\(part(column)) IS NOT NULL
                AND (operation.kind = 'delete' AND operation.state IN ('queued', 'sending', 'in doubt')
                    OR operation.kind = 'update' AND \(writable.moves(column, from: above))
                        AND NOT (operation.stage = 1 AND \(isDeleted)))
            """,
            """
            SELECT \(SQLText(parent.name)), \(sent), operation.seq
            FROM operation
            WHERE operation.list = \(list.listName) AND operation.kind <> 'delete'
                AND operation.state IN ('sending', 'in doubt') AND \(sent) IS NOT NULL
                AND (\(own) IS NOT \(sent) OR \(isDeleted))
            """,
        ]
    }

    /// A row that the server has not made yet has a create; one whose delete is under way may be gone, and
    /// after a yes lists say whether it is. What a create
    /// cannot give goes with an update after it, so it keeps no create back.
    private var parents: [String] {
        guard let writable else { return [] }
        return columns.compactMap { column, parent in
            let kinds = sending(column, in: writable)
            guard !kinds.isEmpty else { return nil }
            return """
                operation.kind IN (\(kinds.joined(separator: ", "))) AND parent.list = \(SQLText(parent.name))
                    AND parent.row_id = \(writable.ownValue(of: column))
                    AND (parent.kind = 'create'
                        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged'))
                """
        }
    }

    private var waits: String {
        let behind = parents.map {
            "EXISTS (SELECT 1 FROM operation AS parent\n    WHERE \($0))"
        }
        let waits = behind + lacks.map { "(\($0.condition))" }
        return "(operation.state = 'queued' AND (\(waits.anyHolds)))"
    }

    private var waiting: [String] {
        parents.map { parent in
            """
            SELECT operation.seq, parent.seq, parent.list, parent.kind, parent.state, NULL
            FROM operation CROSS JOIN operation AS parent
            WHERE operation.list = \(list.listName) AND operation.kind <> 'delete' AND operation.state = 'queued'
                AND \(parent)
            """
        }
            + lacks.map { lack in
                """
                SELECT operation.seq, operation.seq, \(SQLText(lack.list)), operation.kind, operation.state,
                    \(SQLText(lack.name))
                FROM operation
                WHERE operation.list = \(list.listName) AND operation.state = 'queued' AND \(lack.condition)
                """
            }
    }
}
