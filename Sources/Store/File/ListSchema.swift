internal import Declarations
internal import SQLite
internal import Tables
internal import Text

/// Brings the tables of lists to their declarations.
struct ListSchema {
    let connection: Connection

    /// The lists whose tables every cache has, whether they are synced or not.
    static let presets = [
        ListTable(
            .movies(isEnabled: true, language: nil, region: nil, interval: .seconds(21_600))),
        ListRows.todos,
    ]

    /// Every list that has a table, as it was declared when the table was made; in the order of their names.
    func made() throws -> [ListTable] {
        let rows = try connection.all("SELECT name, declaration FROM declared_list ORDER BY name") {
            (name: $0.text(0), text: $0.text(1))
        }
        let declarations = try rows.map { row in
            do throws(DeclarationError) {
                return try Declaration.stored(row.text, name: row.name)
            } catch {
                throw StoreError.corrupt("the declaration of \(row.name) cannot be read")
            }
        }
        return declarations.map { declaration in
            // A list that it refers to may have lost its table: then the column shows nothing.
            ListTable((try? declaration.referring(to: declarations)) ?? declaration)
        }
    }

    /// Those of them that have parts.
    func inParts() throws -> [ListTable] {
        let count = try connection.count(
            "SELECT count(*) FROM declared_list WHERE declaration LIKE '%\"each\"%'")
        return count == 0 ? [] : try made().filter { $0.declaration.each != nil }
    }

    /// Whether the table of each of `lists` was made from its declaration.
    func isDeclared(_ lists: [ListTable]) throws -> Bool {
        let rows = try connection.all("SELECT name, declaration FROM declared_list") {
            ($0.text(0), $0.text(1))
        }
        let made = Dictionary(rows) { first, _ in first }
        return lists.allSatisfy { made[$0.declaration.name.text] == $0.text }
    }

    /// Whether every object of `list` is as it would be made, and that is as in `schema`.
    func isCurrent(_ list: ListTable, as schema: [SchemaObject]) throws -> Bool {
        try isDeclared([list]) && holds(schema)
    }

    /// Whether what names every list is as it would be made.
    func isSharedCurrent() throws -> Bool { try holds(shared()) }

    /// Whether each of `objects` stands in the cache so.
    private func holds(_ objects: [SchemaObject]) throws -> Bool {
        var missing = Dictionary(objects.map { (Key($0), $0.sql) }) { first, _ in first }
        try connection.each("SELECT type, name, sql FROM sqlite_schema", []) { row in
            let key = Key(kind: row.text(0), name: row.text(1))
            if let sql = missing[key], sql == row.text(2) { missing[key] = nil }
        }
        return missing.isEmpty
    }

    /// Throws ``StoreError/changedTable(_:)`` if the table was made from another declaration: a configuration
    /// that was read meanwhile has changed it.
    func requireMade(from list: ListTable) throws {
        let text = try connection.first(
            "SELECT declaration FROM declared_list WHERE name = ?",
            .text(list.declaration.name.text)
        ) { $0.text(0) }
        guard text != list.text else { return }
        let made = try made().first { $0.declaration.name == list.declaration.name }
        guard let made, made.hasShape(of: list) else {
            throw StoreError.changedTable(list.declaration.name.text)
        }
    }

    /// Makes what is missing, and makes anew what was made from another declaration. A list that is not in
    /// `lists` keeps its table.
    func bring(to lists: [ListTable]) throws {
        let before = try made()
        var isMade = false
        for list in Self.ordered(lists, known: Set(before.map(\.declaration.name))) {
            let old = before.first { $0.declaration.name == list.declaration.name }
            // What another program has changed of a table is looked at before each pull of it.
            if let old, old != list, old.declaration.hasTable(of: list.declaration) {
                try keep(list)
            } else {
                try bring(list, from: old)
                isMade = true
            }
        }
        if isMade { try makeShared() }
    }

    /// The new ones first, then those that others refer to: a table that is made anew looks up rows in theirs.
    private static func ordered(_ lists: [ListTable], known: Set<ListName>) -> [ListTable] {
        var ordered = lists.filter { !known.contains($0.declaration.name) }
        var rest = lists.filter { known.contains($0.declaration.name) }
        while !rest.isEmpty {
            let names = Set(rest.map(\.declaration.name))
            let free = rest.firstIndex { list in
                list.declaration.references.allSatisfy { column in
                    column.reference.map { reference in
                        reference.list == list.declaration.name || !names.contains(reference.list)
                    } ?? true
                }
            }
            ordered.append(rest.remove(at: free ?? 0))
        }
        return ordered
    }

    /// What an object of the schema is found by.
    private struct Key: Hashable {
        let kind: String
        let name: String

        init(kind: String, name: String) {
            self.kind = kind
            self.name = name
        }

        init(_ object: SchemaObject) { self.init(kind: object.kind, name: object.name) }
    }

    private func objects() throws -> [Key: String] {
        let rows = try connection.all(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        ) { (Key(kind: $0.text(0), name: $0.text(1)), $0.text(2)) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// What names every list, in the order in which it can be made.
    private func shared() throws -> [SchemaObject] {
        let lists = try made()
        return [SharedObjects.syncStatus(of: lists)] + SharedObjects.outbox(of: lists)
            + SharedObjects.textChecks
    }

    private func bring(_ list: ListTable, from old: ListTable?) throws {
        let found = try objects()
        let wanted = list.schema
        let name = list.declaration.name.text
        let isOther = old.map { !$0.hasShape(of: list) } ?? true
        if isOther || wanted.contains(where: { found[Key($0)] != $0.sql }) {
            try make(wanted, of: list, from: old, found: found)
        }
        try keep(list)
        try connection.run(
            """
            INSERT INTO sync_state (list) SELECT ?1
            WHERE NOT EXISTS (SELECT 1 FROM sync_state WHERE list = ?1)
            """, .text(name))
    }

    /// Writes down from which declaration the table is made.
    private func keep(_ list: ListTable) throws {
        try connection.run(
            """
            INSERT INTO declared_list (name, declaration) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET declaration = ?2 WHERE declaration <> ?2
            """, .text(list.declaration.name.text), .text(list.text))
    }

    private func make(
        _ wanted: [SchemaObject], of list: ListTable, from old: ListTable?, found: [Key: String]
    ) throws {
        // Tables that stand beside the list's own hold what nobody else has: they stay.
        for object in (old.map { $0.schema.dropFirst() } ?? []) + wanted.dropFirst()
        where found[Key(object)] != nil && (!object.isTable || object.isDerived) {
            try connection.execute(script: object.drop)
        }
        let table = wanted[0]
        let present = found[Key(table)]
        var found = found
        if present == nil {
            try connection.execute(script: table.sql)
            if old != nil { try ChangeLog(connection: connection).reset(list.declaration.name) }
        } else if present != table.sql || old.map({ !$0.hasShape(of: list) }) ?? true {
            guard let old else { throw StoreError.foreignTable(table.name) }
            try remake(list, from: old)
            // It has made and removed some that stand beside it.
            found = try objects()
        }
        for object in wanted.dropFirst()
        where !object.isTable || object.isDerived || found[Key(object)] == nil {
            try connection.execute(script: object.sql)
        }
        for sql in list.referenceStatements?.fill ?? [] { try connection.run(sql) }
        if let statements = list.fullTextStatements {
            try connection.run(statements.weigh)
            for sql in statements.rebuild { try connection.run(sql) }
        }
    }

    /// Out of the documents. If another program has changed the table so that they are not there any more,
    /// then the next pull brings the rows again.
    private func remake(_ list: ListTable, from old: ListTable) throws {
        let name = list.declaration.name.text
        if !old.declaration.isReadOnly { try requireNothingWaits(list, in: old) }
        try requireDecidedReferences(list, from: old)
        if list.declaration.isReadOnly != old.declaration.isReadOnly
            || list.declaration.id != old.declaration.id
            || list.declaration.condition != old.declaration.condition
            || list.hasPlaces && !old.hasPlaces
        {
            // An unchanged list tells no place. Each kind keeps something else about a page, and pages are kept by the
            // ids of their rows: those that are in the table.
            try connection.run("DELETE FROM validator WHERE list = ?", .text(name))
        }
        let present = Set(
            try connection.all("SELECT name FROM pragma_table_xinfo(?)", .text(name)) { $0.text(0) }
        )
        if present.contains(old.idName) { for sql in old.keepIDs { try connection.run(sql) } }
        let tables = try list.tablesToRebuild(from: old).filter { name in
            try connection.count(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", .text(name))
                == 0
        }
        guard list.columnsToRebuild(from: old).isSubset(of: present), tables.isEmpty else {
            try connection.execute(script: list.schema[0].drop)
            try connection.execute(script: list.schema[0].sql)
            return try ChangeLog(connection: connection).reset(list.declaration.name)
        }
        // Ours are made anew afterwards, and theirs as they were.
        let theirs = try connection.all(
            """
            SELECT sql FROM sqlite_schema
            WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL
            """, .text(name)
        ) { $0.text(0) }
        .filter { sql in !old.undeclaredRefusals.contains { $0.sql == sql } }
        for sql in list.rebuild(from: old) { try connection.execute(script: sql) }
        try connection.run(
            """
            UPDATE sync_state SET mistaken = ?2, listed = NULL, excerpt = NULL, marks = NULL
            WHERE list = ?1
            """,
            .text(name),
            .text(try connection.mistakes(list.typesOfKept, of: list)))
        for sql in theirs {
            try connection.run("SAVEPOINT theirs")
            // One that names a column which is not there any more goes with it.
            do throws(SQLiteError) { try connection.run(sql) } catch {
                try connection.run("ROLLBACK TO theirs")
            }
            try connection.run("RELEASE theirs")
        }
    }

    /// What makes exactly the tables refuse writes whose lists are not among `lists`.
    func unfittingRefusals(besides lists: Set<ListName>) throws -> [String] {
        let found = try objects()
        let kept = lists.union(Self.presets.map(\.declaration.name))
        return try made().flatMap { list in
            let isKept = kept.contains(list.declaration.name)
            return list.undeclaredRefusals.compactMap { object in
                switch (isKept, found[Key(object)]) {
                case (true, .some): object.drop
                case (false, nil): object.sql
                case (true, nil), (false, .some): nil
                }
            }
        }
    }

    private func makeShared() throws {
        let found = try objects()
        let wanted = try shared()
        guard wanted.contains(where: { found[Key($0)] != $0.sql }) else { return }
        // A view takes its triggers along.
        for object in wanted.reversed() { try connection.execute(script: object.drop) }
        for object in wanted { try connection.execute(script: object.sql) }
    }
}
