internal import APIClient
internal import Host
internal import Store

/// One cycle of the movies: every page, staged aside, published by one commit.
struct MoviesCycle {
    let engine: Synchronizer
    let source: MoviesSource
    let cause: CycleCause

    /// TMDB answers no page beyond this one.
    static let lastPage = 500
    /// Pages that are read at once.
    static let pagesAtOnce = 4

    func run() async throws(StoreError) -> CycleReport {
        let began = engine.time.bootTime()
        let attemptedAt = engine.time.wallTime()
        let memory = try await engine.store.memory(of: .movies)
        var report = CycleReport(resource: .movies, memory: memory, due: memory.due ?? began)
        if cause.isAsked, memory.dueAskedUntil?.isAhead(of: began) == true { return report }
        let outcome = try await pull(memory: memory, began: began, into: &report)
        let failures: Int
        var facts: PullFacts?
        var askedUntil: BootTime?
        switch outcome {
        case .taken(let taken, _):
            facts = taken
            failures = 0
            report.due = engine.nextDue(after: source.interval)
        case .held:
            failures = 0
            report.due = engine.nextDue(
                heldSince: memory.heldSince ?? began, interval: source.interval)
        case .failed(let failure):
            guard !failure.isOurs else { return report }
            failures = memory.failures + 1
            report.note(failure)
            let wait = engine.wait(afterFailures: failures, serverAsks: failure.serverAsks)
            (report.due, askedUntil) = (wait.until, wait.askedUntil)
        }
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: facts, failures: failures,
            dueAskedUntil: askedUntil)
        return report
    }

    private func pull(
        memory: SyncMemory, began: BootTime, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        try await engine.store.beginMoviesPull()
        let pages: [PublishedPage]
        switch try await readPages() {
        case .success(let read): pages = read
        case .failure(let failure): return .failed(failure)
        }
        let reach = PageReach.of(pages, hasDoubledRow: try await engine.store.hasDoubledMovies())
        let wipeGuard = WipeGuard(
            pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals)
        let rows = try await engine.store.publishMovies(
            pages, reach: reach, now: engine.time.wallTime()
        ) { try wipeGuard.isHeld($0.hold) }
        report.skipped = Self.skippedRows(of: pages)
        guard let rows else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.rows = rows
        return .taken(
            PullFacts(began: began, rows: rows, complete: reach == .complete),
            at: engine.time.bootTime())
    }

    private static func skippedRows(of pages: [PublishedPage]) -> SkippedRows {
        let named = pages.lazy.flatMap { page in
            page.facts.skipped.named.map {
                SkippedRow(place: "page \(page.number), \($0.place)", problem: $0.problem)
            }
        }
        return SkippedRows(
            count: pages.reduce(0) { $0 + $1.facts.skipped.count },
            named: Array(named.prefix(SkippedRows.namedAtMost)))
    }

    /// Page 1 tells how many there are; the others follow, several at once. In order of number.
    private func readPages() async throws(StoreError) -> Result<[PublishedPage], CycleFailure> {
        engine.tell(.pulling(.movies))
        let first: PublishedPage
        switch await read(page: 1) {
        case .page(let page): first = page
        case .failed(let failure): return .failure(failure)
        case .broken(let error): throw error
        }
        let last = min(Int(clamping: first.facts.totalPages), Self.lastPage)
        engine.tell(.pulled(pages: 1, of: last))
        guard last > 1 else { return .success([first]) }
        let others = await withTaskGroup(of: PageRead.self) { group in
            await readPages(2...last, after: first.facts.bytes, in: &group)
        }
        var pages = [first]
        for other in others {
            switch other {
            case .page(let page): pages.append(page)
            case .failed(let failure): return .failure(failure)
            case .broken(let error): throw error
            }
        }
        return .success(pages.sorted { $0.number < $1.number })
    }

    /// Ends early, with the failure alone, when a page cannot be read or the list gets too long; `bytes`
    /// is what it has already.
    private func readPages(
        _ numbers: ClosedRange<Int>, after bytes: Int, in group: inout TaskGroup<PageRead>
    ) async -> [PageRead] {
        var reads: [PageRead] = []
        var total = bytes
        let limit = source.client.limits.maxBodyBytes
        var next = numbers.lowerBound
        func start(_ group: inout TaskGroup<PageRead>) {
            guard next <= numbers.upperBound else { return }
            let page = next
            next += 1
            group.addTask { await read(page: page) }
        }
        for _ in 0..<Self.pagesAtOnce { start(&group) }
        while let read = await group.next() {
            reads.append(read)
            guard case .page(let page) = read else {
                group.cancelAll()
                return [read]
            }
            total += page.facts.bytes
            // What bounds one answer bounds the list, or 500 of them would have 500 times as much.
            guard total <= limit else {
                group.cancelAll()
                return [.failed(CycleFailure(pull: .transport(.bodyTooLarge(limit: limit))))]
            }
            engine.tell(.pulled(pages: reads.count + 1, of: numbers.upperBound))
            start(&group)
        }
        return reads
    }

    private enum PageRead: Sendable {
        case page(PublishedPage)
        case failed(CycleFailure)
        case broken(StoreError)
    }

    private func read(page number: Int) async -> PageRead {
        let url = source.client.upcomingURL(page: number)
        do throws(StoreError) {
            guard !engine.stop.isStopping else {
                return .failed(CycleFailure(pull: .transport(.cancelled(mayHaveArrived: false))))
            }
            let stored = try await engine.store.storedPage(url: url)
            let answer: PullAnswer
            do {
                var pace = Pace(lanes: 1)
                answer = try await engine.read(at: &pace) { () async throws(APIError) in
                    try await source.client.pullUpcoming(
                        page: number, validators: stored.map(Validators.init))
                }
            } catch {
                return .failed(CycleFailure(pull: error))
            }
            switch answer {
            case .notModified:
                let facts = try await engine.store.stageUnchangedMovies(url: url, page: number)
                return .page(
                    PublishedPage(
                        number: number, url: url,
                        validators: stored ?? StoredValidators(entityTag: nil, lastModified: nil),
                        facts: facts))
            case .body(let body, let validators, _):
                let facts = try await engine.store.stageMovies(body: body, page: number)
                return .page(
                    PublishedPage(
                        number: number, url: url, validators: StoredValidators(validators),
                        facts: facts))
            }
        } catch {
            guard case .unusableBody(let text) = error else { return .broken(error) }
            return .failed(CycleFailure(unusable: text, without: source.client.secrets))
        }
    }
}
