internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// A list of which only changes are asked for.
extension ListCycle {
    /// Reads what has changed in the list, or all of it. An increment comes first: what it does not decide, a whole list
    /// does in the same cycle.
    func pullList(
        _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        guard source.table.declaration.each == nil else {
            return try await pullParts(opening, into: &report)
        }
        let scope = try await scope(opening, after: opening.memory.pulledAt)
        let outcome = try await pull(scope, opening, into: &report)
        guard !scope.isWhole else { return outcome }
        switch outcome {
        case .failed(let failure) where failure.isGone:
            // The mark is too old for the server.
            try await engine.store.forgetMark(of: source.table)
            return try await pull(.whole, opening, into: &report)
        case .taken(let facts, _):
            let isUndecided = try await self.scope(opening, after: facts.began).isWhole
            if !isUndecided {
                guard try await isOfAnotherLength() else { return outcome }
            }
            return try await pull(.whole, opening, into: &report)
        case .read, .held, .failed: return outcome
        }
    }

    /// How much of the list the next pull asks for. The last one that was taken began at `pulledAt`.
    private func scope(
        _ opening: CycleOpening, after pulledAt: BootTime?
    ) async throws(StoreError) -> PullScope {
        let declaration = source.table.declaration
        guard declaration.since != nil else { return .whole }
        var wishes = PullScope.Wishes()
        wishes.isHeld = opening.memory.heldSince != nil
        // Nothing but a list tells what an edit or a delete would take back.
        wishes.hasUnreadChange = opening.needsList && declaration.read == nil
        return try await engine.store.scope(
            of: source.table, wishes, pulledAt: pulledAt,
            settlingTime: source.writing?.settlingTime ?? .zero, now: engine.time.bootTime())
    }

    /// The path of the list below the base URL, with the mark where only changes are asked for.
    func address(of scope: PullScope) async throws(StoreError) -> String {
        let list = source.table.declaration.list
        guard case .increment(let mark) = scope, let since = source.table.declaration.since else {
            return list
        }
        let sent = try await engine.store.sentMark(mark, of: source.table)
        return PercentEncoding.escaped(
            query: since.query(of: list, from: PercentEncoding.encoded(sent)))
    }

    /// Asks for the first page of the whole list, where that tells how many rows there are. Another number than that of
    /// the rows here asks for all of it, and decides nothing. A failure says nothing.
    private func isOfAnotherLength() async throws(StoreError) -> Bool {
        let declaration = source.table.declaration
        guard declaration.paging.tellsRows,
            try await engine.store.mayAskByNumber(
                source.table, now: engine.time.bootTime())
        else { return false }
        let reader = PageReader(
            engine: engine, source: source, scope: .whole, list: declaration.list,
            maySayUnchanged: false, pageCame: { _ in })
        guard let total = try await reader.total() else { return false }
        return try await engine.store.hasOtherNumber(
            total, of: source.table, now: engine.time.bootTime())
    }
}

extension PageReader {
    /// How many rows the list has, as its first page says; nil where that cannot be read.
    func total() async throws(StoreError) -> Int64? {
        let share = engine.bodies.share()
        defer { withExtendedLifetime(share) {} }
        do {
            let first = try page(.first, from: nil)
            let answer = try await source.read(
                first.target, body: first.body, naming: declaration.paging.headers, for: engine,
                share: share)
            guard case .body(let body, _, let extent) = answer else { return nil }
            var facts = PageFacts(rows: 0, newRows: 0)
            facts.totalRows = try await engine.store.totalRows(in: body, of: table)
            facts.add(extent, paging: declaration.paging)
            return facts.totalRows
        } catch let error as StoreError {
            throw error
        } catch {
            return nil
        }
    }
}
