internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// Rows that are read because an update repeats what nobody has edited.
///
/// Law: what an update repeats of a row comes from a read of that row in this very cycle, however many edits wait. A
/// list may show less of a row than the server has, and what it does not show would be lost.
extension ListCycle {
    /// The call that reads them; nil where no update needs it, or no row can be read. One that turns a value would turn
    /// back what another client has turned since the list.
    var wholeRowCall: ReadCall? {
        let declaration = source.table.declaration
        let needsRead =
            declaration.updateRepeatsValues || declaration.editsColumnsFromReads
            || declaration.turnsValues
        return needsRead
            ? declaration.read : nil
    }

    /// Reads the next rows with an edit or a delete that waits, right before these are sent: at most so many as are
    /// read together. From then on nothing is sent of any other row of the server. Nil where there is nothing to read.
    func readWholeRows(_ call: ReadCall, isFirst: Bool) async throws(StoreError) -> WholeRows? {
        let began = engine.time.bootTime()
        let rows = try await engine.store.wholeRowsToRead(
            of: source.table, now: began, most: RowReader.most,
            ignoresBackoff: isFirst && cause.isAsked)
        guard let rows else { return nil }
        let read = try await RowReader(engine: engine, source: source, call: call).runEach(rows)
        if read.shown.isEmpty, let failure = read.failure { return .failed(failure) }
        let decided = try await engine.store.learn(
            read.shown, of: source.table, readAfter: began,
            settlingTime: source.writing?.settlingTime ?? .zero)
        let wait = began.advanced(by: Absence.confirmation(interval: source.interval))
        try await engine.store.postpone(
            read.unshown, of: source.table, until: wait, shown: engine.shown(wait))
        return .read(at: began, decided: decided, rows: Set(rows.map(\.row)))
    }

    /// So many rows are read in one cycle for columns that the list does not show.
    private static let mostUnread = 500

    /// Reads rows that a list has brought or changed, for the columns that it does not show. What cannot be read is
    /// read when a list changes it again.
    func readColumns() async throws(StoreError) {
        guard let call = source.table.declaration.read, let writing = source.writing,
            source.table.declaration.hasColumnsFromReads
        else { return }
        let began = engine.time.bootTime()
        var read = 0
        while read < Self.mostUnread, !engine.stop.isStopping, !Task.isCancelled,
            engine.time.bootTime().elapsed(since: began) < source.interval
        {
            let rows = try await engine.store.unreadRows(of: source.table, most: RowReader.most)
            guard !rows.isEmpty else { return }
            let answers = try await RowReader(engine: engine, source: source, call: call)
                .runEach(rows)
            // An outage is about no row: they are read in the next cycle.
            guard answers.failure == nil || !answers.shown.isEmpty else { return }
            try await engine.store.learnUnread(
                answers.shown, askedFor: rows.map(\.row), of: source.table, readAfter: began,
                settlingTime: writing.settlingTime)
            read += rows.count
        }
    }
}

/// What a read of the next rows came to.
enum WholeRows {
    /// When it began, how many updates it decided, and which rows were asked for.
    case read(at: BootTime, decided: Int, rows: Set<Int64>)
    case failed(CycleFailure)
}
