public import Declarations
package import Host
public import Rules
internal import SQLite
public import Tables

extension CacheStore {
    /// The lists that have a table, as they were declared when it was made; in the order of their names.
    public func tables() throws(StoreError) -> [ListTable] {
        try read { try ListSchema(connection: connection).made() }
    }

    /// Brings the tables of `lists` to their declarations, the documents being the truth; a list that is not
    /// among them keeps its table. Only for the holder of the lock, before it syncs: a table that changes
    /// would be strange to another one's statements. `whileMaking` is called again and again while a table is
    /// made anew.
    public func bring(
        to lists: [ListTable], whileMaking: @Sendable () -> Void = {}
    ) throws(StoreError) {
        let schema = ListSchema(connection: connection)
        // Whether another program has changed a table is looked at before each pull of it.
        guard try read({ try !schema.isDeclared(lists) }) else { return }
        try make(lists, telling: whileMaking)
    }

    /// Lets the tables of all lists but `lists` take no more writes: nobody would send them. Those of `lists` take
    /// writes again. Only for the holder of the lock, after ``bring(to:whileMaking:)``.
    public func refuseWrites(besides lists: Set<ResourceName>) throws(StoreError) {
        let schema = ListSchema(connection: connection)
        guard try read({ try !schema.unfittingRefusals(besides: lists).isEmpty }) else { return }
        try write(.full) {
            for sql in try schema.unfittingRefusals(besides: lists) {
                try connection.execute(script: sql)
            }
        }
    }

    private func make(
        _ lists: [ListTable], telling tell: @Sendable () -> Void,
        then sweep: () throws -> Void = {}
    ) throws(StoreError) {
        let schema = ListSchema(connection: connection)
        // Views and foreign keys of others go on naming a table that is made anew, and no row of theirs
        // goes with its old form.
        try set("foreign_keys = OFF", "legacy_alter_table = ON")
        defer { _ = try? set("legacy_alter_table = OFF", "foreign_keys = ON") }
        for list in lists { knownLists[list.declaration.name] = nil }
        try write(.full) {
            try connection.telling(tell) { try schema.bring(to: lists) }
            try sweep()
            noteDataWritten()
        }
    }

    func set(_ pragmas: String...) throws(StoreError) {
        do {
            for pragma in pragmas { try connection.execute(script: "PRAGMA \(pragma)") }
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Makes again what another program has removed or changed of the table, such as its triggers, and takes what
    /// was written meanwhile. Returns whether the table may have another form than at the last pull.
    private func mend(_ table: ListTable) throws(StoreError) -> (isOther: Bool, UnseenWrites?) {
        let name = table.declaration.name
        let (version, isApplying) = try read {
            try ListSchema(connection: connection).requireMade(from: table)
            return (
                try connection.count("PRAGMA schema_version"),
                try connection.count("SELECT applying IS NOT NULL FROM control") != 0
            )
        }
        let isSeen = schemaSeen[name] == version
        guard !isSeen || isApplying || sweptLists.contains(name) else { return (false, nil) }
        let schema = table.schema  // Making its text takes longer than reading it from the file.
        var isCurrent = isSeen
        if !isSeen {
            isCurrent = try read {
                let made = ListSchema(connection: connection)
                return try made.isCurrent(table, as: schema)
                    && (sharedSchemaSeen == version || made.isSharedCurrent())
            }
        }
        var found: UnseenWrites?
        if !isCurrent {
            try make([table], telling: {}) {
                found = try self.sweep([table], isAccepted: false).first?.found
            }
        } else if isApplying {
            // No row of any list is known to be seen.
            found = try write(.full) {
                try ChangeLog(connection: connection).rest()
                noteDataWritten()
                let lists = try ListSchema(connection: connection).made()
                return try self.sweep(lists, isAccepted: false).first { $0.list == table }?.found
            }
        }
        let swept = try sweepBesideRules(of: table, as: schema, isDone: !isCurrent)
        let newVersion = try read { try connection.count("PRAGMA schema_version") }
        (schemaSeen[name], sharedSchemaSeen) = (newVersion, newVersion)
        return (!isSeen, found ?? swept)
    }

    /// Whether a staged row stands on two pages.
    public func hasDoubledRows(of table: ListTable) throws(StoreError) -> Bool {
        do {
            return try connection.count(table.countDoubled) > 0
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// The staged rows that are not taken, because each has the id of another one, and differs from it.
    public func sharedIDs(of table: ListTable) throws(StoreError) -> SkippedRows {
        do {
            let count = try connection.count(table.countSharedIDs)
            guard count > 0 else { return .none }
            let named = try connection.all(
                table.placesOfSharedIDs, .integer(Int64(SkippedRows.namedAtMost))
            ) { table.rowWithSharedID(at: $0.integer(0)) }
            return SkippedRows(count: count, named: named)
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Forgets what was staged: a pull of the list begins. What was written past the triggers of the list is taken
    /// first; returns what that was.
    ///
    /// Throws ``StoreError/unseenWrites(_:of:)`` where that is too much, and nothing has changed then.
    /// Throws ``StoreError/replaced(path:)`` where the file is not the one that was opened, and
    /// ``StoreError/newerSchema(path:found:known:)`` where a newer syncd has migrated it meanwhile.
    @discardableResult
    public func beginPull(of table: ListTable) throws(StoreError) -> UnseenWrites? {
        pullWork[table.declaration.name] = nil
        try requireUnchangedFile()
        let (isOther, found) = try mend(table)
        do {
            let (prepare, remove) =
                table.writePull.map { ($0.prepare, $0.remove) }
                ?? (table.pull.prepare, table.pull.remove)
            for sql in isOther ? remove : [] { try connection.run(sql) }
            for sql in prepare { try connection.run(sql) }
            try clearStaged(table)
            return found
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Takes the rows of a page out of its answer into the staging table; nobody sees them yet.
    ///
    /// A body that is no page throws ``StoreError/unusableBody(_:)``.
    public func stage(
        _ body: [UInt8], page: Int, of table: ListTable
    ) throws(StoreError) -> PageFacts {
        let name = table.declaration.name
        knownLists[name] = nil
        if table.writePull != nil, table.declaration.paging.isOneAnswer {
            stagedBodies[name] = KnownList.Body(body)
        }
        return try pulling(name) { () throws(StoreError) in
            do {
                return try connection.staging {
                    try ListStaging(connection: connection, table: table).stage(body, page: page)
                }
            } catch {
                throw .wrapping(error, path: path)
            }
        }
    }

    /// Takes the rows of a page that has not changed from the cache into the staging table; nil where not all of them
    /// are there any more.
    public func stageUnchanged(
        url: String, page: Int, of table: ListTable
    ) throws(StoreError) -> PageFacts? {
        do {
            return try connection.staging {
                try ListSchema(connection: connection).requireMade(from: table)
                return try ListStaging(connection: connection, table: table)
                    .stageUnchanged(url: url, page: page)
            }
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Publishes the staged rows by one commit. Their fields are read, and compared with the table, before it
    /// begins. If `wipeGuard` holds the pull back, nothing is published. Returns the number of rows; nil if held.
    /// Rows and validators that have not changed are not written.
    package func publish(
        _ pages: [PublishedPage], of table: ListTable, reach: PullReach, now: WallTime,
        guardedBy wipeGuard: WipeGuard
    ) throws(StoreError) -> Int64? {
        try publish(pages, of: table, reach: reach, now: now) {
            try $0.hold.isHeld(by: wipeGuard)
        }
    }

    /// The same as a test's own condition decides.
    package func publish(
        _ pages: [PublishedPage], of table: ListTable, reach: PullReach, now: WallTime,
        isHeld: @Sendable (ListPull) throws -> Bool
    ) throws(StoreError) -> Int64? {
        defer { _ = try? clearStaged(table) }  // Frees memory early.
        return try pulling(table.declaration.name) { () throws(StoreError) in
            let comparison: Comparison
            do {
                comparison = try compare(pages, with: table)
                try judgeTypes(of: table)
            } catch {
                throw .wrapping(error, path: path)
            }
            return try toleratingForeignKeys { () throws(StoreError) in
                try commit(pages, of: table, comparison, reach: reach, now: now, isHeld: isHeld)
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

    /// Reads the fields of the staged rows, and compares them with the table: what takes time with the length of
    /// the list is done here.
    private func compare(
        _ pages: [PublishedPage], with table: ListTable
    ) throws -> Comparison {
        try connection.staging { try connection.run(table.pull.read) }
        // A transaction of its own: that of the reading may see an older state.
        return try connection.staging {
            try ListSchema(connection: connection).requireMade(from: table)
            let version = try connection.count("PRAGMA data_version")
            for sql in table.pull.compare { try connection.run(sql) }
            return Comparison(version: version, keys: try keys(of: pages, table))
        }
    }

    private func commit(
        _ pages: [PublishedPage], of table: ListTable, _ comparison: Comparison, reach: PullReach,
        now: WallTime, isHeld: (ListPull) throws -> Bool
    ) throws(StoreError) -> Int64? {
        try write(.normal) {
            try ListSchema(connection: connection).requireMade(from: table)
            // Unless nobody has committed since.
            if try connection.count("PRAGMA data_version") != comparison.version {
                for sql in table.pull.compare { try connection.run(sql) }
            }
            let before = connection.totalChanges
            let pull = ListPull(connection: connection, table: table, reach: reach)
            guard try !isHeld(pull) else { return nil }
            try pull.publish(now: now)
            try keep(pages, comparison.keys, of: table)
            if connection.totalChanges > before { noteDataWritten() }
            return try connection.count(table.countRows)
        }
    }

    private func clearStaged(_ table: ListTable) throws {
        for sql in table.writePull?.clear ?? table.pull.clear { try connection.run(sql) }
    }
}
