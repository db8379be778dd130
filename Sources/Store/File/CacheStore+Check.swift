internal import Declarations
internal import SQLite
internal import Tables

extension CacheStore {
    /// Looks for faults of the cache: the file's integrity, the laws (the views
    /// `invariant_…`, and those about documents), the schema, the full text of lists, the size
    /// of the write-ahead log, the SQLite library. Empty if all is well; an old library gives a
    /// note.
    ///
    /// Changes nothing, whether the cache was opened to be read or written. Reads all of the file.
    public func check() throws(StoreError) -> [Finding] {
        try findings { try checkIntegrity() }
            + findings { try checkLaws() }
            + findings {
                try SchemaCheck(connection: connection, migrations: migrations).findings()
            }
            + findings { try checkSearch() } + checkJournal() + checkWAL() + Self.checkLibrary()
    }

    /// Does what the remedies of `findings` say, and nothing else; none of them loses anything. A
    /// further ``check()`` tells what is left.
    public func fix(_ findings: [Finding]) throws(StoreError) {
        let remedies = findings.compactMap(\.remedy)
        try write(.full) {
            noteDataWritten()
            let schema = SchemaCheck(connection: connection, migrations: migrations)
            try schema.recreate(remedies)
            if remedies.contains(.rebuildSearch) { try schema.rebuildSearch() }
            let swept = try ListSchema(connection: connection).made().filter {
                remedies.contains(.sweep(list: $0.declaration.name.text))
            }
            _ = try sweep(swept, isAccepted: true)
            // A write lets SQLite begin the log anew, and cut it off, where it was copied before.
            try ChangeLog(connection: connection).rest()
        }
        guard remedies.contains(.checkpoint) else { return }
        do {
            try checkpoint()
        } catch {
            throw .wrapping(error, path: path)
        }
        try write(.full) { try ChangeLog(connection: connection).rest() }
    }

    /// A damaged page is a finding, too, and the other checks go on; what is about another program's
    /// lock or the disk is thrown.
    private func findings(_ check: () throws -> [Finding]) throws(StoreError) -> [Finding] {
        do {
            return try check()
        } catch {
            let failure = StoreError.wrapping(error, path: path)
            guard case .corrupt(let text) = failure else { throw failure }
            return [.damage(text)]
        }
    }

    private func checkIntegrity() throws -> [Finding] {
        try connection.all("PRAGMA integrity_check(20)") { $0.text(0) }
            .filter { $0 != "ok" }.map(Finding.damage)
    }

    private func checkLaws() throws -> [Finding] {
        let views = try SchemaCheck(connection: connection, migrations: migrations).laws()
            .map { (name: $0, query: "SELECT law, offender FROM \"\($0)\"") }
        let made = try ListSchema(connection: connection).made()
        let lists = made.map { (name: "invariant_\($0.declaration.name)", query: $0.documentLaw) }
        return try (views + lists).compactMap { view in
            var law = ""
            var offenders: [String] = []
            try connection.each(view.query, []) { row in
                law = row.text(0)
                offenders.append(row.text(1))
            }
            guard !offenders.isEmpty else { return nil }
            let named = offenders.prefix(5).joined(separator: ", ")
            let more = offenders.count > 5 ? " and \(offenders.count - 5) more" : ""
            let problem = "broken: \(law) (\(named)\(more))"
            guard let list = try list(of: view.name, among: made) else {
                return Finding(
                    subject: view.name, severity: .error, problem: problem, hint: Finding.restore,
                    remedy: nil)
            }
            return Finding(
                subject: view.name, severity: .error, problem: problem,
                hint:
                    "Run `syncd check --fix`: new rows are queued, others are as the server has them.",
                remedy: .sweep(list: list))
        }
    }

    /// The list whose sweep brings this law back.
    private func list(of law: String, among lists: [ListTable]) throws(SQLiteError) -> String? {
        let list = lists.filter { list in
            let name = "invariant_\(list.declaration.name)"
            return law == name || law.hasPrefix(name + "_")
        }.max { $0.declaration.name.text.count < $1.declaration.name.text.count }
        guard let list, try Sweep(connection: connection, table: list).isPossible else {
            return nil
        }
        return list.declaration.name.text
    }

    private func checkJournal() -> [Finding] {
        guard !hasWAL else { return [] }
        return [
            Finding(
                subject: "journal", severity: .warning,
                problem: "the file system has no shared memory, so readers wait for writers",
                hint: "Keep the cache on a local disk: `database` in the configuration.",
                remedy: nil)
        ]
    }

    private func checkWAL() -> [Finding] {
        let bytes = walBytes()
        guard bytes > Self.excessiveWAL else { return [] }
        return [
            Finding(
                subject: "wal", severity: .warning,
                problem: "the write-ahead log has \(bytes >> 20) MiB",
                hint: "End the program that keeps a read transaction open, then `check --fix`.",
                remedy: .checkpoint)
        ]
    }

    private static func checkLibrary() -> [Finding] {
        let version = Connection.libraryVersion
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        guard numbers.lexicographicallyPrecedes([3, 51, 3]) else { return [] }
        return [
            Finding(
                subject: "library", severity: .note,
                problem:
                    "SQLite \(version): before 3.51.3 a commit can be lost when another program"
                    + " checkpoints beside it; syncd never does",
                hint:
                    "Let scripts set PRAGMA wal_autocheckpoint = 0 while a daemon runs, or update libsqlite3.",
                remedy: nil)
        ]
    }
}

extension Finding {
    static let restore = "Keep a copy of the file, and restore it from a backup."

    static func damage(_ text: String) -> Finding {
        Finding(
            subject: "integrity", severity: .error, problem: "the file is damaged: \(text)",
            hint: restore, remedy: nil)
    }
}
