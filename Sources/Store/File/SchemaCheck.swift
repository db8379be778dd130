internal import Migrations
internal import SQLite
internal import Tables

/// Compares the schema of a cache with what its migrations make.
struct SchemaCheck {
    let connection: Connection
    let migrations: [Migration]

    private struct Part: Hashable {
        let kind: String
        let name: String
        let sql: String

        /// What SQLite tells parts by: triggers have a namespace of their own, and names are bytes.
        var key: Key { Key(kind: kind, name: Array(name.utf8)) }
    }

    private struct Key: Hashable {
        let kind: String
        let name: [UInt8]
    }

    /// The parts that are missing, changed or not ours. Views, triggers and indexes hold no data
    /// and can be made anew. So can the full text, which has its own check.
    func findings() throws -> [Finding] {
        let expected = try Self.parts(of: fresh())
        let found = try found()
        let known = Set(expected.map(\.key))
        let wrong = expected.filter { found[$0.key] != $0 }.map { part in
            let remedy = Self.remedy(for: part, isMissing: found[part.key] == nil)
            return Finding(
                subject: "schema", severity: .error,
                problem: "the \(part.kind) \(part.name) "
                    + (found[part.key] == nil ? "is missing" : "is not as syncd made it"),
                hint: remedy == nil ? Finding.restore : "Run `syncd check --fix`.", remedy: remedy)
        }
        let refusals = Set(
            try ListSchema(connection: connection).made().flatMap(\.undeclaredRefusals).map(\.sql))
        let foreign = found.values.filter { !known.contains($0.key) && !refusals.contains($0.sql) }
            .sorted { $0.name < $1.name }
        return wrong
            + foreign.map { part in
                Finding(
                    subject: "schema", severity: .note,
                    problem: "the \(part.kind) \(part.name) was added by another program",
                    hint:
                        "Keep such things in a file of their own: a later syncd may need the name.",
                    remedy: nil)
            }
    }

    /// The laws of the cache that stand in it as they were made; others are findings themselves.
    func laws() throws -> [String] {
        let found = try found()
        return try Self.parts(of: fresh()).filter {
            $0.kind == "view" && $0.name.hasPrefix("invariant_") && found[$0.key] == $0
        }.map(\.name).sorted()
    }

    private func found() throws -> [Key: Part] {
        // Names that are no text are mended by the same sign, and can be equal then.
        Dictionary(try Self.parts(of: connection).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    /// Makes what `remedies` name anew; a view takes its triggers along, so they follow it.
    func recreate(_ remedies: [Finding.Remedy]) throws {
        let named = Set(
            remedies.compactMap { remedy -> String? in
                guard case .recreate(_, let name) = remedy else { return nil }
                return name
            })
        guard !named.isEmpty else { return }
        let expected = try Self.parts(of: fresh())
        for part in expected where named.contains(part.name) {
            try connection.run("DROP \(part.kind.uppercased()) IF EXISTS \"\(part.name)\"")
            try connection.run(part.sql)
        }
        let left = try found()
        for part in expected where part.kind == "trigger" && left[part.key] == nil {
            try connection.run(part.sql)
        }
    }

    /// Fills the full text of every list from its table; where it is missing, it is made first.
    func rebuildSearch() throws {
        let found = try found()
        for list in try ListSchema(connection: connection).made() {
            guard let statements = list.fullTextStatements else { continue }
            if found[Key(kind: "table", name: Array(list.searchName.utf8))] == nil {
                for part in try Self.parts(of: fresh())
                where part.name.hasPrefix(list.searchName + "_") {
                    try connection.run("DROP TABLE IF EXISTS \"\(part.name)\"")
                }
                for object in list.schema where object.name == list.searchName {
                    try connection.run(object.sql)
                }
                try connection.run(statements.weigh)
            }
            for sql in statements.rebuild { try connection.run(sql) }
        }
    }

    private static func remedy(for part: Part, isMissing: Bool) -> Finding.Remedy? {
        switch part.kind {
        case "view", "trigger", "index": .recreate(kind: part.kind, name: part.name)
        // No list has such a name.
        default: part.name.contains("_search") && isMissing ? .rebuildSearch : nil
        }
    }

    /// A cache of the same migrations and lists in memory.
    private func fresh() throws -> Connection {
        let connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        try SchemaRunner(path: "", migrations: migrations)
            .migrate(connection, from: .empty, wallMilliseconds: 0)
        try ListSchema(connection: connection).bring(
            to: ListSchema(connection: self.connection).made())
        return connection
    }

    /// Views before the triggers on them.
    private static func parts(of connection: Connection) throws -> [Part] {
        try connection.all(
            """
            SELECT type, name, sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
            ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END,
                rowid
            """
        ) { Part(kind: $0.text(0), name: $0.text(1), sql: $0.text(2)) }
    }
}
