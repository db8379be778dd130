internal import Declarations
package import Host
package import Rules
internal import SQLite
package import Tables

extension CacheStore {
    /// Publishes the staged rows by one commit. Their fields are read, and compared with the table, before it
    /// begins. If `wipeGuard` holds the pull back, nothing is published. Returns the number of rows, 0 of an increment;
    /// nil if held. Rows and validators that have not changed are not written.
    package func publish(
        _ pages: [PublishedPage], of table: ListTable, reach: PullReach, scope: PullScope = .whole,
        parts: PartsPull? = nil, now: WallTime, guardedBy wipeGuard: WipeGuard
    ) async throws(StoreError) -> Int64? {
        try await publish(pages, of: table, reach: reach, scope: scope, parts: parts, now: now) {
            try $0.hold.isHeld(by: wipeGuard)
        }
    }

    /// The same as a test's own condition decides.
    package func publish(
        _ pages: [PublishedPage], of table: ListTable, reach: PullReach, scope: PullScope = .whole,
        parts asked: PartsPull? = nil, now: WallTime, isHeld: @Sendable (ListPull) throws -> Bool
    ) async throws(StoreError) -> Int64? {
        defer { _ = try? clearStaged(table) }  // Frees memory early.
        if let condition = table.condition {
            try stagingStep(of: table.declaration.name) {
                for statement in condition.setAside { try connection.run(statement) }
            }
        }
        try await readFields(of: table)
        return try pulling(table.declaration.name) { () throws(StoreError) in
            let comparison: Comparison
            let parts = asked.flatMap {
                partsCommit($0.judged(by: table, without: []), of: table)
            }
            do {
                try connection.staging { try parts?.noteRead() }
                comparison = try compare(pages, with: table, scope)
                if scope.isWhole { try judgeTypes(of: table) }
                try connection.staging {
                    try findSince(of: table, pages, scope: scope, now: now)
                }
            } catch {
                throw .wrapping(error, path: path)
            }
            return try toleratingForeignKeys { () throws(StoreError) in
                try commit(
                    pages, of: table, comparison, reach: reach, scope: scope, parts, now: now,
                    isHeld: isHeld)
            }
        }
    }

    /// What a pull found beside the write lock.
    private struct Comparison {
        /// The `data_version` for which the temporary tables tell the differences.
        let version: Int64
        /// The ids of the rows of each page that is kept, as a JSON list, by its URL.
        let keys: [String: String]
    }

    /// So many rows are read at once; between them other lists are served.
    private static let rowsReadAtOnce: Int64 = 50_000

    /// Reads the fields of the staged rows.
    private func readFields(of table: ListTable) async throws(StoreError) {
        var last: Int64 = 0
        while true {
            let (from, count) = (Value.integer(last), Value.integer(Self.rowsReadAtOnce))
            let end = try stagingStep(of: table.declaration.name) {
                try connection.run(table.pull.read, from, count)
                return try connection.first(table.pull.lastRead, from, count) { $0.integerOrNil(0) }
            }
            guard let end = end ?? nil else { return }
            last = end
            await Task.yield()
        }
    }

    /// Compares what was read with the table: what takes time with the length of the list is done here.
    private func compare(
        _ pages: [PublishedPage], with table: ListTable, _ scope: PullScope
    ) throws -> Comparison {
        try connection.staging {
            try ListSchema(connection: connection).requireMade(from: table)
            let version = try connection.count("PRAGMA data_version")
            for sql in comparing(table, scope) { try connection.run(sql) }
            return Comparison(
                version: version, keys: scope.asksForPages ? try keys(of: pages, table) : [:])
        }
    }

    private func comparing(_ table: ListTable, _ scope: PullScope) -> [String] {
        switch scope {
        case .whole: table.pull.compare
        case .increment: table.since?.compare ?? []
        case .parts: table.parts?.compare ?? []
        }
    }

    private func commit(
        _ pages: [PublishedPage], of table: ListTable, _ comparison: Comparison, reach: PullReach,
        scope: PullScope, _ parts: PartsCommit?, now: WallTime, isHeld: (ListPull) throws -> Bool
    ) throws(StoreError) -> Int64? {
        try write(.normal) {
            try ListSchema(connection: connection).requireMade(from: table)
            // Unless nobody has committed since.
            if try connection.count("PRAGMA data_version") != comparison.version {
                for sql in comparing(table, scope) { try connection.run(sql) }
            }
            let before = connection.totalChanges
            var pull = ListPull(
                connection: connection, table: table, reach: reach, isWhole: scope.isWhole)
            pull.parts = parts
            try parts?.noteLeaving([])
            guard try !isHeld(pull) else { return nil }
            try pull.publish(now: now)
            if scope.isWhole { try keep(pages, comparison.keys, of: table) }
            if let parts {
                try keep(parts.pull, comparison.keys, of: table)
                try parts.write(now: now)
            }
            if connection.totalChanges > before { noteDataWritten() }
            // Counting takes time with the length of the list, be the increment empty.
            return scope.isWhole ? try connection.count(table.countRows) : 0
        }
    }
}
