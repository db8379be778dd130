internal import CommandLine
internal import Rendering
internal import Rules
internal import Store
internal import SyncEngine
internal import Text

extension Console {
    /// So many rejected operations are named; `outbox list` has the others.
    private static let namedOperations = 10

    /// Says on standard error what needs the person, also one who wants quiet.
    func remark(on outcome: SyncOutcome) throws(CommandError) {
        // On a terminal, remarks come after what they are about.
        try flush()
        for resource in outcome.resources {
            if let problem = resource.problem {
                let state = resource.state == .ok ? "" : "\(resource.row.state): "
                warn(
                    Sentence.joined(
                        Sentence.ended("\(resource.row.resource): \(state)\(problem)"),
                        resource.hint))
            }
            for sentence in resource.row.changeSentences(haltHint: resource.report?.haltHint) {
                warn(sentence)
            }
            for mistake in resource.row.mistakes {
                let name = resource.row.resource
                warn(Sentence.joined("\(name): \(mistake.problem)", mistake.hint(of: name)))
            }
            let skipped = resource.report?.skipped ?? .none
            if skipped.count > 0 {
                let named = skipped.named.map { "\($0.place): \($0.problem)" }
                warn(
                    "\(resource.row.resource): rows skipped: \(skipped.count): "
                        + named.joined(separator: "; "))
            } else if let remark = resource.row.skippedRemark {
                warn(remark)
            }
        }
        for deletes in outcome.held { warn(deletes.remark) }
        for operation in outcome.rejected.prefix(Self.namedOperations) {
            warn(
                Sentence.joined(
                    "the server refused to \(operation.kind) ‘\(Arguments.shown(operation.title))’: "
                        + (operation.lastError ?? "no reason given"),
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

extension SyncOutcome {
    func table(_ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("resource"), .init("state"), .init("rows", alignment: .trailing),
                .init("sent", alignment: .trailing), .init("done", alignment: .trailing),
                .init("rejected", alignment: .trailing), .init("in doubt", alignment: .trailing),
                .init("next due"),
            ],
            rows: resources.map { resource in
                let replay = resource.replay
                let counts = [replay.sent, replay.done, replay.rejected, replay.inDoubt]
                let cells = counts.map { Table.Cell("\($0)") }
                return [
                    .init(resource.row.resource),
                    .init(resource.row.state, resource.problem == nil ? .good : .warning),
                    .init(resource.row.rows.map { "\($0)" } ?? ""),
                ] + cells + [.init(moments.of(resource.row.nextDueAt))]
            })
    }

    var json: JSONValue {
        [
            "synced_by": daemon.map { .integer(Int64($0)) } ?? "this process",
            "resources": .array(resources.map(\.json)), "outbox": queue.json,
            "rejected": .array(rejected.map(\.json)), "held_deletes": .array(held.map(\.json)),
        ]
    }
}

extension SyncOutcome.ResourceOutcome {
    var json: JSONValue {
        [
            "resource": .string(row.resource), "state": .string(row.state),
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
