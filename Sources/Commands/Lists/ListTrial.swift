internal import APIClient
internal import Configuration
internal import Declarations
internal import Glibc
internal import Host
internal import Migrations
internal import Rendering
internal import Store
internal import SyncEngine
internal import Tables
internal import Text

/// Pulls a list twice as a sync would, into a cache of its own that is thrown away.
struct ListTrial: Sendable {
    let composition: Composition
    let settings: Settings
    let stop: StopSignal

    /// What came of one list.
    struct Result: Sendable {
        let declaration: Declaration
        let outcome: SyncOutcome.ListOutcome
        let first: CountingTransport.Counts
        /// Of the second pull, which sends validators where the first one brought some; nil: there was none.
        let second: CountingTransport.Counts?
        /// What the declaration could say, so that the server redirects nothing; nil: nothing.
        let betterLine: String?
        /// How the list compares with an increment of it; nil: none is declared, or the list was not read.
        let increment: IncrementTrial?
    }

    /// Runs the trial of each list. Their cache is removed, whatever happens.
    func run(_ names: [ListName]) async throws(CommandError) -> [Result] {
        let folder = try Self.folder()
        let path = folder + "/cache.sqlite"
        defer { Self.remove(folder) }
        // Rows are written as a cache has them, so that the words about them are those of a sync.
        let file = try CommandError.trying(
            CommandError.file, try DatabaseFile(at: path, user: composition.facts.user))
        try CommandError.from(CommandError.file) { () throws(FileError) in _ = try file.prepare() }
        let store = try await composition.open(
            file, settings, patience: Composition.patienceOfCycles, whileMigrating: {})
        var results: [Result] = []
        for name in names { results.append(try await trial(of: name, in: store)) }
        return results
    }

    private func trial(
        of name: ListName, in store: CacheStore
    ) async throws(CommandError) -> Result {
        let transport = CountingTransport(composition.transport(settings))
        let console = composition.console
        let progress = SyncProgressTeller { console.show($0) }
        let source = try composition.source(of: name, settings, over: transport)
        let engine = { (lists: [ListSource]) in
            Synchronizer(
                store: store, lists: lists, time: composition.time, random: SystemRandom(),
                backoff: .standard, stop: stop, tell: { progress.note($0) })
        }
        let synchronizer = engine([source])
        let above = try source.table.declaration.each?.list.map { list throws(CommandError) in
            try composition.source(of: list, settings, over: transport)
        }
        return try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            // Its rows may refer to rows of others, which stay empty.
            let others = source.table.declaration.referredTo(among: settings.declarations)
            try await store.bring(to: others.map { ListTable($0) } + [source.table])
            if let above {
                // Its rows are the parts. What that costs is told by a check of that list.
                _ = try await engine([above]).cycle(
                    above.table.declaration.name, because: .asked(acceptsRemovals: false))
                _ = transport.take()
            }
            let report = try await synchronizer.cycle(
                name, because: .asked(acceptsRemovals: false))
            let first = transport.take()
            let outcome = try await SyncOutcome.read(
                [name], from: store, since: [], reports: [report], daemon: nil)
            var increment: IncrementTrial?
            if let since = source.table.declaration.since, report.hasPulled, !stop.isStopping {
                increment = try await self.increment(of: source, since, in: store) { table in
                    engine([ListSource(table: table, client: source.client, lanes: source.lanes)])
                }
                try await store.wantWhole(of: [name])
                _ = transport.take()
            }
            var second: CountingTransport.Counts?
            if report.hasPulled, !stop.isStopping {
                _ = try await synchronizer.cycle(name, because: .asked(acceptsRemovals: false))
                second = transport.take()
            }
            if increment?.missing.isEmpty == false {
                // What was deleted meanwhile is not missing.
                increment?.missing.formIntersection(try await store.serverIDs(of: name))
            }
            guard let list = outcome.lists.first else { throw StoreError.stopped }
            return Result(
                declaration: source.table.declaration, outcome: list, first: first,
                second: second, betterLine: first.redirect.flatMap { line(for: $0, of: source) },
                increment: increment)
        }
    }

    /// The path of the list behind a redirect, as the declaration would have it.
    private func line(
        for redirect: CountingTransport.Counts.Redirect, of source: ListSource
    ) -> String? {
        // One that leads to another server was not followed, and is what the outcome tells of.
        guard
            let moved = try? source.client.target(of: redirect.location, from: redirect.target)
        else { return nil }
        return MovedCall.listLine(
            of: source.table.declaration, from: redirect.target, to: moved)
    }

    /// A directory that nobody else may read.
    private static func folder() throws(CommandError) -> String {
        var template = Array("/tmp/syncd-check.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .system(SystemError(operation: "mkdtemp", code: errno))
        }
        return String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func remove(_ folder: String) {
        // What cannot be removed is in the system's directory for such things.
        for name in (try? DirectoryListing.names(in: folder)) ?? [] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
