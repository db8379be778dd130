internal import APIClient
internal import Declarations
internal import Host
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

extension ResourceCycle {
    /// Reads the list and brings the cache to it.
    func pull(
        _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        engine.tell(.pulling(name))
        let unseen: UnseenWrites?
        do throws(StoreError) {
            unseen = try await engine.store.beginPull(of: source.table)
        } catch {
            switch error {
            case .unseenWrites: return .failed(CycleFailure(unseenWrites: error))
            // A row that left past the triggers, and that an index of another program keeps out.
            case .constraint, .foreignKey:
                return .failed(CycleFailure(unpublished: error, of: name))
            default: throw error
            }
        }
        defer { if let unseen { report.note(unseen, of: name) } }
        // Of a list that programs write to, an "unchanged" answer decides no doubt and shows no row to delete.
        let maySayUnchanged = opening.isQueueSettled && opening.memory.heldSince == nil
        let began = engine.time.bootTime()
        let read = try await PageReader(
            engine: engine, source: source, maySayUnchanged: maySayUnchanged
        ).run()
        if let refusal = try await recognise(in: &report) { return .failed(refusal) }
        switch read {
        case .failed(let failure): return .failed(failure)
        case .unchanged(let rows):
            if let rows { report.rows = rows }
            report.noteTaken()
            return .taken(
                PullFacts(began: began, rows: rows, complete: rows.map { _ in true }),
                at: engine.time.bootTime())
        case .pages(let pages, let came):
            if let refusal = try await confirmOwnerBeforeRemovals(in: &report) {
                return .failed(refusal)
            }
            do throws(StoreError) {
                guard let writing = source.writing else {
                    return try await publish(pages, began: began, into: &report)
                }
                return try await reconcile(pages, writing, began: began, came: came, into: &report)
            } catch {
                // A trigger, an index or a foreign key that another program has put on the table.
                switch error {
                case .refused, .constraint, .foreignKey, .statement:
                    return .failed(CycleFailure(unpublished: error, of: name))
                default: throw error
                }
            }
        }
    }

    /// Of a list that is only read: the table becomes the list.
    private func publish(
        _ pages: [PublishedPage], began: BootTime, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let reach = PageReach.of(
            pages, paging: source.table.declaration.paging,
            hasDoubledRow: try await engine.store.hasDoubledRows(of: source.table))
        let wipeGuard = wipeGuard(began)
        let rows = try await engine.store.publish(
            pages, of: source.table, reach: reach, now: engine.time.wallTime()
        ) { try wipeGuard.isHeld($0.hold) }
        report.skipped = SkippedRows(of: pages)
        guard let rows else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.rows = rows
        return .taken(
            PullFacts(began: began, rows: rows, complete: reach == .complete || reach == .untold),
            at: engine.time.bootTime())
    }

    private func wipeGuard(_ began: BootTime) -> WipeGuard {
        WipeGuard(
            pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals)
    }

    private func reconcile(
        _ pages: [PublishedPage], _ writing: ListSource.Writing, began: BootTime, came: BootTime,
        into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let reconciliation = Reconciliation(
            pages: pages, declaration: source.table.declaration, wipeGuard: wipeGuard(began),
            settlingTime: writing.settlingTime)
        let reconciled = try await engine.store.reconcile(
            pages, of: source.table, beside: try await rowsBeside(), now: engine.time.wallTime()
        ) { try reconciliation.run($0) }
        report.rows = reconciled.rows
        report.skipped = reconciled.skipped
        guard !reconciled.isHeld else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.decided = reconciled.decided
        (report.error, report.hint) = (reconciled.notice, reconciled.hint)
        return .taken(
            PullFacts(began: began, rows: reconciled.rows, complete: reconciled.isComplete),
            at: came)
    }
}

extension SkippedRows {
    /// Those of all pages, each named with its page.
    fileprivate init(of pages: [PublishedPage]) {
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
