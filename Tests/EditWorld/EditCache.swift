import Declarations
import Host
import SQLite
import Store
import Tables

/// The cache of a run about the edits of one list.
final class EditCache: RestartableCache, @unchecked Sendable {
    let declaration: EditDeclaration
    let reader: EditImageReader

    init(_ declaration: EditDeclaration, executor: QueueExecutor) throws {
        self.declaration = declaration
        reader = EditImageReader(fields: declaration.fields)
        try super.init(
            [ListTable(try Declaration.stored(declaration.text, name: "notes"))],
            executor: executor)
    }

    var table: ListTable { tables[0] }

    /// The conflicts that nobody has ended; none where they cannot be read.
    func conflicts() -> [Int64] {
        let found = try? with {
            try $0.all("SELECT seq FROM conflict ORDER BY seq") { $0.integer(0) }
        }
        return found ?? []
    }

    /// How many acknowledged values are remembered; none where there is no such table.
    func trails() -> Int64 {
        let found = try? with { connection in
            let tables = try connection.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('trail', 'trails')"
            ) { $0.text(0) }
            return try tables.map { table in
                try connection.all("SELECT count(*) FROM \(table)") { $0.integer(0) }[0]
            }.reduce(0, +)
        }
        return found ?? 0
    }

    /// Whether the conflict could be ended so.
    func take(_ side: ConflictSide, of conflict: Int64) -> Bool {
        do {
            try store.assumeIsolated { try $0.take(side, of: [conflict]) }
            return true
        } catch {
            return false
        }
    }
}
