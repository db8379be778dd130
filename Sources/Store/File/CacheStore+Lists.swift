public import Declarations
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
    public func refuseWrites(besides lists: Set<ListName>) throws(StoreError) {
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
        // The tables that it writes to may be made anew.
        try write(.full) {
            try stopWatchingRows()
            try connection.telling(tell) { try schema.bring(to: lists) }
            try watchRows()
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
    func mend(_ table: ListTable) throws(StoreError) -> (isOther: Bool, UnseenWrites?) {
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
}
