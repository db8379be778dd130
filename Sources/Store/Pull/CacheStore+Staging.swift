internal import Declarations
public import Rules
internal import SQLite
public import Tables

extension CacheStore {
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
        foundSince[table.declaration.name] = table.since == nil ? nil : SinceFindings(table: table)
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

    /// Takes the rows of a page out of its answer into the staging table; nobody sees them yet. The pages of a list are
    /// staged one after the other; what other lists need is done between the pieces of a page.
    ///
    /// A body that is no page throws ``StoreError/unusableBody(_:)``, and nothing of it is staged.
    public func stage(
        _ body: [UInt8], page: Int, of table: ListTable
    ) async throws(StoreError) -> PageFacts {
        let name = table.declaration.name
        knownLists[name] = nil
        if table.writePull != nil, table.declaration.isOneAnswer {
            stagedBodies[name] = KnownList.Body(body)
        }
        let staging = ListStaging(connection: connection, table: table)
        do throws(StoreError) {
            var rows = try stagingStep(of: name) {
                try PageStaging(staging, body: body, number: page)
            }
            while try stagingStep(of: name, { try rows.takeNext() }) {
                await Task.yield()
                guard !pullStop.isStopped else { throw StoreError.stopped }
            }
            return try stagingStep(of: name) { try rows.finish() }
        } catch {
            _ = try? connection.staging { try staging.forget(page: page) }
            throw error
        }
    }

    /// Does a part of the staging, in a transaction of its own.
    func stagingStep<Result>(
        of name: ListName, _ step: () throws -> Result
    ) throws(StoreError) -> Result {
        try pulling(name) { () throws(StoreError) in
            do {
                return try connection.staging(step)
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

    func clearStaged(_ table: ListTable) throws {
        for sql in table.writePull?.clear ?? table.pull.clear { try connection.run(sql) }
    }
}
