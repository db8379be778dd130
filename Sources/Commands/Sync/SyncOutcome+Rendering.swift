internal import CommandLine
internal import Configuration
internal import Rendering
internal import Rules
internal import Store
internal import SyncEngine
internal import Text

extension Console {
    /// So many rejected operations are named; `outbox list` has the others.
    private static let namedOperations = 10

    /// Says on standard error what needs the person, also one who wants quiet.
    func remark(on outcome: SyncOutcome, _ settings: Settings) throws(CommandError) {
        // On a terminal, remarks come after what they are about.
        try flush()
        // Lists of one server that does not take its credentials are one matter for a person.
        let mends = CredentialMend.all(for: outcome.lists.map(\.row), settings)
        for mend in mends {
            let problem = outcome.lists.first { mend.lists.contains($0.row.list) }?.problem
            warn(
                Sentence.joined("\(mend.subject): needs credentials: \(problem ?? "")", mend.hint))
        }
        let told = Set(mends.flatMap(\.lists))
        for list in outcome.lists {
            if let problem = list.problem, !told.contains(list.row.list) {
                let state = list.state == .ok ? "" : "\(list.row.state): "
                warn(
                    Sentence.joined(
                        Sentence.ended("\(list.row.list): \(state)\(problem)"),
                        list.hint))
            }
            for sentence in list.row.changeSentences(haltHint: list.report?.haltHint) {
                warn(sentence)
            }
            for mistake in list.row.mistakes {
                let name = list.row.list
                warn(Sentence.joined("\(name): \(mistake.problem)", mistake.hint(of: name)))
            }
            let skipped = list.report?.skipped ?? .none
            if skipped.count > 0 {
                let named = skipped.named.map { "\($0.place): \($0.problem)" }
                warn(
                    "\(list.row.list): rows skipped: \(skipped.count): "
                        + named.joined(separator: "; "))
            } else if let remark = list.row.skippedRemark {
                warn(remark)
            }
        }
        for deletes in outcome.held { warn(deletes.remark) }
        for operation in outcome.rejected.prefix(Self.namedOperations) {
            warn(
                Sentence.joined(
                    operation.refusal + (operation.lastError ?? "no reason given"),
                    "Run `syncd outbox retry \(operation.sequence)` or "
                        + "`syncd outbox drop \(operation.sequence)`."))
        }
        let queue = outcome.queue
        let waiting = queue.queued + queue.sending + queue.inDoubt
        if waiting > 0 {
            note("changes still to be sent or decided: \(waiting); see `syncd outbox list`")
        }
    }
}

extension OperationRow {
    /// How the sentence about a rejected one begins. One whose row refers to a row that is gone was never sent.
    fileprivate var refusal: String {
        // A text that is empty names nothing.
        let name = title.isEmpty ? "row \(row) of \(list)" : "‘\(Arguments.shown(title))’"
        return attempts == 0
            ? "\(name) was not sent: " : "the server refused to \(kind) \(name): "
    }
}

extension SyncOutcome {
    func table(_ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("list"), .init("state"), .init("rows", alignment: .trailing),
                .init("sent", alignment: .trailing), .init("done", alignment: .trailing),
                .init("rejected", alignment: .trailing), .init("in doubt", alignment: .trailing),
                .init("next due"),
            ],
            rows: lists.map { list in
                let replay = list.replay
                let counts = [replay.sent, replay.done, replay.rejected, replay.inDoubt]
                let cells = counts.map { Table.Cell("\($0)") }
                return [
                    .init(list.row.list),
                    .init(list.row.state, list.problem == nil ? .good : .warning),
                    .init(list.row.rows.map { "\($0)" } ?? ""),
                ] + cells + [.init(moments.of(list.row.nextDueAt))]
            })
    }

    var json: JSONValue {
        [
            "synced_by": daemon.map { .integer(Int64($0)) } ?? "this process",
            "lists": .array(lists.map(\.json)), "outbox": queue.json,
            "rejected": .array(rejected.map(\.json)), "held_deletes": .array(held.map(\.json)),
        ]
    }
}

extension SyncOutcome.ListOutcome {
    var json: JSONValue {
        [
            "list": .string(row.list), "state": .string(row.state),
            "error": .optional(problem), "hint": .optional(hint), "rows": .optional(row.rows),
            "complete": row.complete.map(JSONValue.bool) ?? .null,
            "last_success_at": .optional(row.lastSuccessAt),
            "next_due_at": .optional(row.nextDueAt),
            "replay": [
                "sent": .integer(Int64(replay.sent)), "done": .integer(Int64(replay.done)),
                "rejected": .integer(Int64(replay.rejected)),
                "in_doubt": .integer(Int64(replay.inDoubt)),
            ],
            "skipped_rows": .integer(row.skipped), "waiting": .integer(row.changes.waiting),
            "stuck": .integer(row.changes.stuck), "stuck_error": .optional(row.changes.error),
        ]
    }
}
