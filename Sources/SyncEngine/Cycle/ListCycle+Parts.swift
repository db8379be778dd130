internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// A list that is read in parts: one pull of the engine, over the pages of some of them.
extension ListCycle {
    /// Reads the parts whose turn it is, and all new ones, and brings the cache to them.
    func pullParts(
        _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let table = source.table
        guard let each = table.declaration.each else { return .held }
        if let above = each.list, try await engine.store.isHeldAbove(table) {
            report.noteHeld(with: above)
            return .held
        }
        let began = engine.time.bootTime()
        let known = try await engine.store.parts(of: table, now: began)
        let pieces = PartTurn.pieces(
            of: known.all, each,
            isForWrites: cause == .localWrite && opening.memory.pulledAt != nil,
            isWhole: known.isWhole, now: began)
        var came: BootTime?
        // Where none is due, what was there is judged all the same: a part can have gone.
        for piece in pieces.isEmpty ? [[]] : pieces {
            let outcome = try await pull(piece, opening, into: &report)
            guard case .taken(_, let moment) = outcome else { return outcome }
            came = came.map { $0.isAhead(of: moment) ? moment : $0 } ?? moment
            guard !engine.stop.isStopping, !Task.isCancelled else { break }
        }
        let standing = try await engine.store.partsStanding(
            of: table, now: engine.time.bootTime())
        (report.error, report.hint) = standing.notice(each, interval: source.interval)
        report.rows = try await engine.store.rowCount(of: table)
        return .taken(
            PullFacts(
                began: began, rows: report.rows, complete: standing.isComplete,
                skipped: report.skipped.count),
            at: came ?? engine.time.bootTime())
    }

    private func pull(
        _ parts: [PartMemory], _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        engine.tell(.pulling(name))
        let table = source.table
        let unseen: UnseenWrites?
        do throws(StoreError) {
            unseen = try await engine.store.beginPull(of: table)
        } catch {
            guard case .unseenWrites = error else { throw error }
            return .failed(CycleFailure(unseenWrites: error))
        }
        defer { if let unseen { report.note(unseen, of: name) } }
        let began = engine.time.bootTime()
        var pull = try await engine.store.parts(of: table, now: began)
        var oldest = began
        var pageCount = 0
        var stopped: CycleFailure?
        var last: CycleFailure?
        // The last part has failed in a way that can be the server's.
        var doubted: CycleFailure?
        reading: for part in parts {
            let partBegan = engine.time.bootTime()
            switch try await read(part, opening, firstPage: pageCount + 1) {
            case .pages(let pages, let came):
                doubted = nil
                pageCount = pages.last?.number ?? pageCount
                let age = pages.map(\.facts.age).max() ?? 0
                pull.read.append(
                    .init(part: part, pages: pages, began: partBegan.advanced(by: .seconds(-age))))
                if pull.read.count == 1 || oldest.isAhead(of: came) { oldest = came }
            case .unchanged: doubted = nil
            case .failed(let failure):
                try await engine.store.unstage(from: pageCount + 1, of: table)
                stopped = stops(failure, at: part, after: doubted) ? failure : nil
                // It comes last from now on. The second that fails so is not known to be at fault.
                if stopped == nil || doubted == nil, !failure.isOfNoPart {
                    pull.failed.append(
                        .init(name: part.name, error: failure.text, isRefusal: failure.isRefusal))
                }
                if stopped != nil { break reading }
                doubted = failure.isOfOnePart || part.hasFailed ? doubted : failure
                last = failure
            }
        }
        if let refusal = try await recognise(in: &report) { return .failed(refusal) }
        // If nothing came of any part, then it is not about the parts.
        if let failure = stopped ?? doubted, pull.read.isEmpty {
            try await engine.store.note(failed: pull.failed, of: table)
            return .failed(failure)
        }
        try await engine.store.note(pull, of: table)
        if let refusal = try await confirmOwnerBeforeRemovals(in: &report) {
            return .failed(refusal)
        }
        let pages = pull.read.flatMap(\.pages)
        let pullBegan = pull.read.map(\.began).reduce(began) { $0.isAhead(of: $1) ? $1 : $0 }
        let outcome = try await take(pull, pages, began: pullBegan, came: oldest, into: &report)
        guard case .taken = outcome else { return outcome }
        if let stopped { return .failed(stopped) }
        // Where no part can be read at all, it is about the list.
        if let last, pull.failed.count == pull.all.count { return .failed(last) }
        return outcome
    }

    /// Law: a part that fails hinders no other. A failure that can be the server's is one only if the next part fails so,
    /// too. Of a part that has failed before, it says nothing of the server.
    private func stops(
        _ failure: CycleFailure, at part: PartMemory, after doubted: CycleFailure?
    ) -> Bool {
        if engine.stop.isStopping || Task.isCancelled || failure.isOfNoPart { return true }
        if failure.serverAsks != nil || failure.status == 429 { return true }
        return !failure.isOfOnePart && !part.hasFailed && doubted != nil
    }

    private func read(
        _ part: PartMemory, _ opening: CycleOpening, firstPage: Int
    ) async throws(StoreError) -> PageReader.Outcome {
        let declaration = source.table.declaration
        guard let each = declaration.each else { return .unchanged(nil) }
        var names: [String: String] = [each.name: part.name]
        for (name, value) in zip(declaration.partNames, part.values) {
            if let value { names[name.description] = value }
        }
        guard
            let address = each.address(
                of: declaration.list, encoded: PercentEncoding.encoded, value: { names[$0] })
        else {
            let missing = declaration.partNames.first { names[$0.description] == nil }
            return .failed(
                CycleFailure(noAddressOf: part.name, lacking: missing?.description ?? each.name))
        }
        try await engine.store.place(part.name, of: source.table)
        var reader = PageReader(
            engine: engine, source: source, scope: .whole, list: address,
            maySayUnchanged: !part.isDoubtful && opening.memory.heldSince == nil,
            pageCame: { _ in })
        reader.firstPage = firstPage
        return try await reader.run()
    }

    private func take(
        _ pull: PartsPull, _ pages: [PublishedPage], began: BootTime, came: BootTime,
        into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let table = source.table
        let isHeld: Bool
        if let writing = source.writing {
            let reconciled = try await engine.store.reconcile(
                pages, of: table, scope: .parts, parts: pull,
                beside: try await rowsBeside(pages, .parts), now: engine.time.wallTime(),
                guardedBy: wipeGuard(began), settlingTime: writing.settlingTime)
            report.skipped = report.skipped.adding(reconciled.skipped)
            report.decided += reconciled.decided
            isHeld = reconciled.isHeld
        } else {
            let rows = try await engine.store.publish(
                pages, of: table, reach: .partial, scope: .parts, parts: pull,
                now: engine.time.wallTime(), guardedBy: wipeGuard(began))
            report.skipped = report.skipped.adding(SkippedRows(of: pages))
            isHeld = rows == nil
        }
        guard !isHeld else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        return .taken(PullFacts(incrementAt: began), at: came)
    }
}

extension CycleFailure {
    /// The server answered about this address alone.
    fileprivate var isOfOnePart: Bool {
        guard let status else { return isOfOneList }
        return status != 503
    }

    /// Whoever asks for a credential means every part; a cycle that is stopped means none.
    fileprivate var isOfNoPart: Bool { isOurs || status == 401 || status == 407 }

    /// The server says that there is nothing to be seen.
    fileprivate var isRefusal: Bool { status.map { [403, 404, 410].contains($0) } ?? false }
}

extension PartsStanding {
    /// What a person should know of a list that was taken, and what to do about it.
    fileprivate func notice(_ each: Each, interval: Duration) -> (String?, String?) {
        if let first = failed.first {
            let names = failed.prefix(5).map(\.name).joined(separator: ", ")
            let more = failed.count > 5 ? " and \(failed.count - 5) others" : ""
            return (
                "\(failed.count) of \(parts) parts could not be read: \(each.name) \(names)\(more): \(first.error)",
                "The other parts are as the server has them. `syncd query 'SELECT * FROM list_parts'` names each."
            )
        }
        if lacksAbove, let list = each.list {
            return (
                "\(list) was not read yet, and its rows are the parts", "Run `syncd sync \(list)`."
            )
        }
        if unread > 0 {
            return (
                "\(unread) of \(parts) parts were not read yet", "The next cycles go on with them."
            )
        }
        let rounds = each.whole / interval
        if each.list != nil, !each.changed.isEmpty, Double(parts) > Double(each.most) * rounds {
            return (
                "\(parts) parts are more than can be read in `whole`",
                "Raise each.most, or each.whole, or lower the interval."
            )
        }
        return (nil, nil)
    }
}
