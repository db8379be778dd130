import SQLite

/// A person at the outbox.
extension OracleRun {
    private enum Wish: CaseIterable {
        case drop, retry, end

        var sql: String {
            switch self {
            case .drop: "DELETE FROM outbox WHERE seq = ?"
            case .retry: "UPDATE outbox SET state = 'queued' WHERE seq = ?"
            case .end: "UPDATE outbox SET state = 'rejected' WHERE seq = ?"
            }
        }
    }

    func outbox() throws {
        let queue = try cache.all(
            "SELECT seq, op, row_id, state FROM outbox WHERE list = 'notes' ORDER BY seq"
        ) {
            ($0.integer(0), $0.text(1), $0.integer(2), $0.text(3))
        }
        guard !queue.isEmpty else { return }
        let (sequence, kind, row, state) = random.element(of: queue)
        guard let kind = Operation.Kind(rawValue: kind),
            let state = Operation.State(rawValue: state)
        else { throw Problem(description: "the outbox has an operation that is none") }
        let wish =
            state == .inDoubt && random.happens(50) ? .end : random.element(of: Wish.allCases)
        let operation = Operation(row: row, kind: kind, stage: 1, state: state)
        latest = row
        var (trial, refusal) = (model, Refusal?.none)
        do {
            try fulfil(wish, operation, in: &trial)
        } catch let error as Refusal {
            refusal = error
        }
        let error = failure { try database.run(wish.sql, [.integer(sequence)]) }
        trace.append(
            "\(wish) \(kind) of \(row), \(state.rawValue) -> \(error ?? "done")")
        try expect(refusal, error)
        if refusal == nil { model = trial }
        try compare(after: "the outbox")
        // Before syncd looks, where the comparison's look was undone.
        if random.happens(50) { try statement() }
    }

    private func fulfil(_ wish: Wish, _ operation: Operation, in model: inout Model) throws {
        switch (wish, operation.state) {
        case (_, .sending), (.drop, .inDoubt), (.retry, .inDoubt): throw Refusal(.undecided)
        case (.end, .queued): throw Refusal(.decided)
        case (.end, .rejected): break
        case (.end, .inDoubt): try model.end(operation)
        case (.drop, .queued), (.drop, .rejected): try model.drop(operation)
        case (.retry, .queued), (.retry, .rejected): model.retry(operation)
        }
    }
}
