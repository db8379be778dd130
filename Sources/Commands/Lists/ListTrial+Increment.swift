internal import Declarations
internal import Store
internal import SyncEngine
internal import Tables
internal import Text

/// The trial of `since`.
extension ListTrial {
    /// Reads an increment of a list that was just read whole, and compares both.
    func increment(
        of source: ListSource, _ since: Since, in store: CacheStore,
        by engine: (ListTable) -> Synchronizer
    ) async throws(StoreError) -> IncrementTrial {
        let name = source.table.declaration.name
        let empty = source.table.comparison(with: source.table)
        let mark: String?
        if since.moment.rowPath == nil {
            mark = try await store.status().first { $0.list == name.text }?.mark
        } else {
            mark = try await store.markOfTrial(empty)
        }
        guard let mark else { return try await nothing(of: source, since, in: store) }
        let sent = try await store.sentMark(mark, of: source.table)
        guard let table = IncrementTrial.list(of: source, since, from: sent) else {
            return IncrementTrial(mark: mark, ending: .refused("the address is too long"))
        }
        try await store.bring(to: [table])
        let report = try await engine(table).cycle(
            table.declaration.name, because: .asked(acceptsRemovals: false))
        guard report.hasPulled else {
            let outcome = try await SyncOutcome.read(
                [table.declaration.name], from: store, since: [], reports: [report], daemon: nil)
            let list = outcome.lists.first
            let why = Sentence.joined(list?.problem ?? "no list came", list?.hint)
                .replacing(table.declaration.name.text, with: name.text)
            return IncrementTrial(mark: mark, ending: .refused(why))
        }
        let comparison = source.table.comparison(with: table)
        let found = try await store.findings(of: comparison, from: mark)
        return IncrementTrial(
            mark: mark, ending: .compared(found),
            missing: try await store.missing(of: comparison, from: mark))
    }

    /// Why there is no moment to ask from.
    private func nothing(
        of source: ListSource, _ since: Since, in store: CacheStore
    ) async throws(StoreError) -> IncrementTrial {
        guard since.moment.rowPath != nil else {
            return IncrementTrial(
                mark: nil,
                ending: .noMark(
                    isFault: true,
                    "the answer has no text at \(since.moment), so each pull reads the whole list"))
        }
        let found = try await store.findings(
            of: source.table.comparison(with: source.table), from: "")
        let isFault = found.rows > 0 && found.withoutMoment == found.rows
        return IncrementTrial(
            mark: nil,
            ending: .noMark(
                isFault: isFault,
                isFault
                    ? "no row has a date or a number at \(since.moment), so each pull reads the whole list"
                    : "no two rows have different moments at \(since.moment): no increment was tried"
            ))
    }
}
