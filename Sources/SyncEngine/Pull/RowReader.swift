internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// Reads rows one by one, where the list is not worth reading for them.
struct RowReader {
    let engine: Synchronizer
    let source: ListSource
    let call: ReadCall

    private static let unshown = "the server does not show the row, which is read before each edit"

    /// So many rows are read one by one; for more, the list is read.
    static let most = 16

    /// What came.
    enum Outcome {
        /// The rows that the server has.
        case rows([ReadRow])
        case failed(CycleFailure)
    }

    private enum RowRead: Sendable {
        case row(ReadRow)
        /// The server shows another one, or none: whether it is there, lists decide. Why, if it says so.
        case none(String?)
        /// The server has none.
        case gone
        case failed(CycleFailure)
        case broken(StoreError)
    }

    /// Reads them; the first failure ends it. A row that the server does not have is no failure.
    func run(_ rows: [RowToRead]) async throws(StoreError) -> Outcome {
        var found: [ReadRow] = []
        for (_, read) in await reads(rows) {
            switch read {
            case .row(let row): found.append(row)
            case .none, .gone: break
            case .failed(let failure): return .failed(failure)
            case .broken(let error): throw error
            }
        }
        return .rows(found.sorted { $0.row < $1.row })
    }

    /// Reads them beside a list; what fails says nothing about its row.
    func runBeside(_ rows: [RowToRead]) async throws(StoreError) -> RowsBeside {
        var beside = RowsBeside()
        for (row, read) in await reads(rows) {
            switch read {
            case .row(let shown): beside.shown.append(shown)
            case .none: break
            case .gone: beside.notFound.insert(row)
            case .failed: beside.unknown.insert(row)
            case .broken(let error): throw error
            }
        }
        beside.shown.sort { $0.row < $1.row }
        return beside
    }

    /// Those of the rows that the server says it does not have.
    func goneOf(_ rows: [RowToRead]) async throws(StoreError) -> Set<Int64> {
        var gone: Set<Int64> = []
        for (row, read) in await reads(rows) {
            switch read {
            case .gone: gone.insert(row)
            case .row(let shown) where shown.isOut: gone.insert(row)
            case .row, .none, .failed: break
            case .broken(let error): throw error
            }
        }
        return gone
    }

    /// Reads each of them: those that came, and why the others did not. The failure is one of theirs.
    func runEach(
        _ rows: [RowToRead]
    ) async throws(StoreError) -> (
        shown: [ReadRow], unshown: [(row: Int64, why: String)], failure: CycleFailure?
    ) {
        var shown: [ReadRow] = []
        var unshown: [(row: Int64, why: String)] = []
        var last: CycleFailure?
        for (row, read) in await reads(rows) {
            switch read {
            case .row(let found): shown.append(found)
            case .none(let refusal):
                let words = refusal.map { ": it says ‘\($0)’" } ?? ""
                unshown.append((row, Self.unshown + words))
            case .gone: unshown.append((row, Self.unshown))
            case .failed(let failure):
                unshown.append((row, "the row cannot be read before the edit: \(failure.text)"))
                last = failure
            case .broken(let error): throw error
            }
        }
        return (shown.sorted { $0.row < $1.row }, unshown, last)
    }

    private func reads(_ rows: [RowToRead]) async -> [(row: Int64, read: RowRead)] {
        await withTaskGroup(of: (row: Int64, read: RowRead).self) { group in
            for row in rows { group.addTask { (row.row, await read(row)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func read(_ row: RowToRead) async -> RowRead {
        guard !engine.stop.isStopping else {
            return .failed(CycleFailure(pull: .transport(.cancelled(mayHaveArrived: false))))
        }
        let answer: PullAnswer
        let declaration = source.table.declaration
        let began = engine.time.bootTime()
        let share = engine.bodies.share()
        defer { withExtendedLifetime(share) {} }
        do throws(APIError) {
            let path = try RowRequest.path(call.path, of: declaration, for: row)
            answer = try await source.read(
                source.client.target(of: path, parameters: []),
                body: try RowRequest.body(of: call, of: declaration, for: row), for: engine,
                share: share)
        } catch {
            // Whether it is gone, lists decide: a proxy answers so, too.
            guard case .status(let failure) = error, [404, 410].contains(failure.code) else {
                return .failed(CycleFailure(pull: error))
            }
            return .gone
        }
        guard case .body(let body, _, let extent) = answer else { return .none(nil) }
        do throws(StoreError) {
            var found = try await engine.store.readRow(body, of: row, in: source.table)
            found?.shownAfter = began.advanced(by: .seconds(-extent.age))
            if let found { return .row(found) }
            return .none(answer.refusal(without: source.client.secrets))
        } catch {
            guard case .unusableBody(let text) = error else { return .broken(error) }
            return .failed(
                CycleFailure(
                    unusable: text, refusal: answer.refusal(without: source.client.secrets),
                    of: declaration.name, without: source.client.secrets))
        }
    }
}

extension ListCycle {
    /// Reads the rows that a local write has changed, in the place of the list. Nil where the list has to be
    /// read: there is no call for one row, the list is due, or too many rows have changed.
    func readRows(
        _ opening: CycleOpening, in report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome? {
        guard cause == .localWrite, opening.needsList,
            isListFresh(opening, now: engine.time.bootTime()),
            let call = source.table.declaration.read, let writing = source.writing
        else { return nil }
        // Each row is read where it is sent.
        if wholeRowCall != nil {
            await engine.store.beginReads(of: source.table)
            return .read(decided: 0, at: engine.time.bootTime())
        }
        guard
            let rows = try await engine.store.rowsToRead(
                of: source.table, now: engine.time.bootTime(), most: RowReader.most)
        else { return nil }
        let began = engine.time.bootTime()
        let read = try await RowReader(engine: engine, source: source, call: call).run(rows)
        if let refusal = try await recognise(in: &report) { return .failed(refusal) }
        switch read {
        case .failed(let failure): return .failed(failure)
        case .rows(let found):
            let decided = try await engine.store.learn(
                found, of: source.table, readAfter: began, settlingTime: writing.settlingTime)
            return .read(decided: decided, at: began)
        }
    }

    /// Reads the rows with an edit or a delete that the staged list of `pages` does not show. A list with a filter lacks
    /// rows that are at the server all the same. Where one such list does not decide about
    /// rows without a change, those are read, too: one that the server has no more leaves at once.
    func rowsBeside(
        _ pages: [PublishedPage], _ scope: PullScope
    ) async throws(StoreError) -> RowsBeside {
        guard let call = source.table.declaration.read else { return RowsBeside() }
        // Each costs a request, and in the place of a whole list as many are cheap as that has pages.
        let most =
            scope.isWhole
            ? RowReader.most
            : max(RowReader.most, try await engine.store.pagesOfWhole(source.table))
        let (rows, others) = try await engine.store.unshownRows(
            of: source.table, scope: scope, now: engine.time.bootTime(), most: most)
        let reader = RowReader(engine: engine, source: source, call: call)
        var beside = rows.isEmpty ? RowsBeside() : try await reader.runBeside(rows)
        beside.unknown.formUnion(others)
        guard scope.asksForPages else { return beside }
        if scope == .parts {
            // What a part lacks can have moved to another one, and an address below the part does not find it there.
            guard let each = source.table.declaration.each, !each.isNamed(in: call.path) else {
                return beside
            }
            beside.gone = try await reader.goneOf(
                try await engine.store.absentRows(of: source.table, most: RowReader.most))
            return beside
        }
        let reach = PageReach.of(
            pages.map(\.facts), paging: source.table.declaration.paging, hasDoubledRow: false)
        if reach == .untold || reach == .everyPage {
            beside.gone = try await reader.goneOf(
                try await engine.store.absentRows(of: source.table, most: RowReader.most))
        }
        return beside
    }
}
