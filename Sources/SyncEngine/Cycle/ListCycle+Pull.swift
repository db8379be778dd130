internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// What a pull came to.
enum PullOutcome {
    /// Its oldest page came at that moment, and it was taken.
    case taken(PullFacts, at: BootTime)
    /// Rows were read one by one, after that moment, and so many updates were decided by them.
    case read(decided: Int, at: BootTime)
    /// It would remove too many rows. Nothing of it was taken, and no replay follows.
    case held
    case failed(CycleFailure)
}

extension ListCycle {
    /// Reads the list, or what has changed in it, and brings the cache to it.
    func pull(
        _ scope: PullScope, _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        engine.tell(.pulling(name))
        let unseen: UnseenWrites?
        do throws(StoreError) {
            unseen = try await engine.store.beginPull(of: source.table)
        } catch {
            guard case .unseenWrites = error else { throw error }
            return .failed(CycleFailure(unseenWrites: error))
        }
        defer { if let unseen { report.note(unseen, of: name) } }
        // Of a list that programs write to, an "unchanged" answer decides no doubt and shows no row to delete.
        let maySayUnchanged =
            scope.isWhole && opening.isQueueSettled && opening.memory.heldSince == nil
        let began = engine.time.bootTime()
        let (read, pagesBefore) = try await readPages(scope, maySayUnchanged, into: &report)
        if let refusal = try await recognise(in: &report) { return .failed(refusal) }
        switch read {
        case .failed(let failure): return .failed(failure)
        case .unchanged(let rows):
            if let rows { report.rows = rows }
            report.isUnchanged = true
            report.noteTaken()
            return .taken(
                PullFacts(began: began, rows: rows, complete: nil),
                at: engine.time.bootTime())
        case .pages(let pages, let came):
            if scope.isWhole, let refusal = try await confirmOwnerBeforeRemovals(in: &report) {
                return .failed(refusal)
            }
            // What a cache has kept is as old as it says.
            let age = pages.map(\.facts.age).max() ?? 0
            let began = began.advanced(by: .seconds(-age))
            guard let writing = source.writing else {
                return try await publish(pages, scope, began: began, into: &report)
            }
            return try await reconcile(
                pages, scope, writing, began: began, came: came, pagesBeforeCreates: pagesBefore,
                into: &report)
        }
    }

    /// Reads the pages. While they come, creates go: they need no list. Returns how many pages had come before the first
    /// of them, too.
    private func readPages(
        _ scope: PullScope, _ maySayUnchanged: Bool, into report: inout CycleReport
    ) async throws(StoreError) -> (PageReader.Outcome, pagesBeforeCreates: Int) {
        let (pages, page) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let identity = report.identity
        let end = StopSignal()
        let list = try await address(of: scope)
        async let creates = sendCreates(whenever: pages, until: end, as: identity)
        let read: Result<PageReader.Outcome, StoreError>
        do throws(StoreError) {
            read = .success(
                try await PageReader(
                    engine: engine, source: source, scope: scope, list: list,
                    maySayUnchanged: maySayUnchanged,
                    pageCame: { page.yield($0) }
                ).run())
        } catch {
            read = .failure(error)
        }
        page.finish()
        // A list grows old, and deletes go by it.
        end.stop()
        let sent = try await creates.get()
        report.replay.add(sent.outcome.counts)
        return (try read.get(), sent.pagesBefore)
    }

    /// A pull that takes longer than this lets creates go meanwhile.
    private static let shortPull = Duration.seconds(1)

    private typealias SentCreates = (outcome: ReplayOutcome, pagesBefore: Int)

    /// Sends what needs no list whenever one of `pages` has come.
    private func sendCreates(
        whenever pages: AsyncStream<Int>, until end: StopSignal, as identity: ListIdentity?
    ) async -> Result<SentCreates, StoreError> {
        var sent: SentCreates = (ReplayOutcome(), 0)
        guard let writing = source.writing else { return .success(sent) }
        let began = engine.time.bootTime()
        do throws(StoreError) {
            for await page in pages {
                let now = engine.time.bootTime()
                guard now.elapsed(since: began) >= Self.shortPull, sent.outcome.halt == nil,
                    sent.outcome.closed.isEmpty,
                    !engine.stop.isStopping, !Task.isCancelled
                else { continue }
                let memory = try await engine.store.memory(of: name)
                guard memory.heldSince == nil, memory.pause(for: cause, at: now) == nil,
                    try await engine.store.hasSendable(of: name, at: now)
                else { continue }
                if sent.pagesBefore == 0 { sent.pagesBefore = page }
                sent.outcome.add(
                    try await Replay(
                        engine: engine, source: source, writing: writing, identity: identity,
                        permission: permission(listedAt: nil, now: now, memory), end: end
                    ).run())
            }
            return .success(sent)
        } catch {
            return .failure(error)
        }
    }

    /// Of a list that is only read: the table becomes the list.
    private func publish(
        _ pages: [PublishedPage], _ scope: PullScope, began: BootTime,
        into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let isDoubled = try await engine.store.hasDoubledRows(of: source.table)
        let shared = isDoubled ? try await engine.store.sharedIDs(of: source.table) : .none
        let reach = PageReach.of(
            pages.map(\.facts), paging: source.table.declaration.paging, hasDoubledRow: isDoubled)
        // What is not taken has to be seen again.
        let pages = shared.count == 0 ? pages : pages.map(\.withoutValidators)
        let rows = try await engine.store.publish(
            pages, of: source.table, reach: reach, scope: scope, now: engine.time.wallTime(),
            guardedBy: wipeGuard(began))
        report.skipped = SkippedRows(of: pages).adding(shared)
        guard let rows else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        guard scope.isWhole else {
            return .taken(PullFacts(incrementAt: began), at: engine.time.bootTime())
        }
        report.rows = rows
        let gap = ListGap.of(pages.map(\.facts), paging: source.table.declaration.paging)
        (report.error, report.hint) = (gap?.notice, gap?.hint)
        return .taken(
            PullFacts(
                began: began, rows: rows, complete: reach == .complete || reach == .untold,
                skipped: report.skipped.count),
            at: engine.time.bootTime())
    }

    func wipeGuard(_ began: BootTime) -> WipeGuard {
        WipeGuard(
            pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals)
    }

    private func reconcile(
        _ pages: [PublishedPage], _ scope: PullScope, _ writing: ListSource.Writing,
        began: BootTime, came: BootTime,
        pagesBeforeCreates: Int, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let reconciled = try await engine.store.reconcile(
            pages, of: source.table, scope: scope, beside: try await rowsBeside(pages, scope),
            now: engine.time.wallTime(),
            guardedBy: wipeGuard(began), settlingTime: writing.settlingTime,
            pagesBeforeCreates: pagesBeforeCreates)
        report.skipped = reconciled.skipped
        guard !reconciled.isHeld else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.decided += reconciled.decided
        guard scope.isWhole else { return .taken(PullFacts(incrementAt: began), at: came) }
        report.rows = reconciled.rows
        (report.error, report.hint) = (reconciled.notice, reconciled.hint)
        return .taken(
            PullFacts(
                began: began, rows: reconciled.rows,
                complete: reconciled.isComplete && reconciled.skipped.count == 0,
                skipped: reconciled.skipped.count),
            at: came)
    }
}

extension SkippedRows {
    /// Those of all pages, each named with its page.
    init(of pages: [PublishedPage]) {
        let named = pages.lazy.flatMap { page in
            page.facts.skipped.named.map {
                SkippedRow(place: "page \(page.number), \($0.place)", problem: $0.problem)
            }
        }
        self.init(
            count: pages.reduce(0) { $0 + $1.facts.skipped.count },
            named: Array(named.prefix(SkippedRows.namedAtMost)))
    }
}

extension Validators {
    init(_ stored: StoredValidators) {
        self.init(entityTag: stored.entityTag, lastModified: stored.lastModified)
    }
}

extension StoredValidators {
    init(_ validators: Validators) {
        self.init(entityTag: validators.entityTag, lastModified: validators.lastModified)
    }
}
