internal import Declarations
internal import Host
internal import Rendering
internal import Rules
internal import Store
internal import SyncEngine
internal import Text

extension Console {
    /// Prints a plan as a table, or as one JSON document; then what keeps all of it back.
    func write(
        _ plan: SyncPlan, asJSON: Bool, _ moments: MomentText
    ) throws(CommandError) {
        guard !asJSON else { return try write(plan.json) }
        try write(plan.table(moments))
        // On a terminal, remarks come after what they are about.
        try flush()
        if plan.lists.isEmpty { note("nothing waits to be sent: a sync only pulls") }
        for list in plan.lists {
            let name = list.list
            if let refusal = list.refusal { warn(Sentence.joined("\(refusal)", refusal.hint)) }
            if list.isHeld {
                warn(
                    "\(name): a pull is held, and nothing is sent before that is decided. "
                        + "See `syncd status`")
            }
            if let start = list.start {
                note("\(name): nothing is sent before \(moments.of(start.description))")
            }
        }
    }
}

extension SyncPlan {
    func table(_ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("turn", alignment: .trailing), .init("seq", alignment: .trailing),
                .init("op"), .init("list"), .init("title", isFlexible: true), .init("state"),
                .init("waits for", isFlexible: true),
            ],
            rows: lists.flatMap(\.changes).map { change in
                [
                    .init(change.turn.map { "\($0)" } ?? ""), .init("\(change.row.sequence)"),
                    .init(change.row.kind), .init(change.row.list), .init(change.row.title),
                    .init(change.row.state, TodoRow.emphasis(of: change.row.state)),
                    .init(change.wait(moments.of(change.row.notBefore))),
                ]
            })
    }

    var json: JSONValue {
        .array(
            lists.map { list in
                [
                    "list": .string(list.list.text),
                    "start_at": .optional(list.start?.description), "held": .bool(list.isHeld),
                    "changes": .array(list.changes.map(\.json)),
                ]
            })
    }
}

extension PlannedChange {
    /// In words; `moment` is the one of the next attempt.
    fileprivate func wait(_ moment: String) -> String {
        switch outlook {
        case .turn(_, after: let earlier?): "operation \(earlier), of the same title"
        case .turn(_, after: nil): row.kind == OperationKind.create.rawValue ? "" : "the pull"
        case .waits(.operation(let earlier)): "operation \(earlier), of the same title"
        case .waits(.time(isAsked: true)): "\(moment), as the server asked"
        case .waits(.time(isAsked: false)): "\(moment), after a failure"
        case .waits(.row(let wait)): wait.sentence
        case .waits(.delete): "the delete of its row, with which it ends"
        case .waits(.pulls): "the pulls that decide its doubt"
        case .waits(.answer): "the answer to its request"
        case .waits(.acceptance):
            "you: `syncd sync \(row.list) --accept-deletes` or `syncd outbox drop \(row.sequence)`"
        case nil:
            "you: `syncd outbox retry \(row.sequence)` or `syncd outbox drop \(row.sequence)`"
        }
    }

    fileprivate var json: JSONValue {
        [
            "turn": .optional(turn.map { Int64($0) }), "seq": .integer(row.sequence.rawValue),
            "op": .string(row.kind), "row_id": .integer(row.row),
            "title": .string(row.title), "state": .string(row.state),
            "waits_for": .optional(waitName), "behind": .optional(earlier?.rawValue),
            "not_before": .optional(row.notBefore),
        ]
    }

    private var earlier: OperationSequence? {
        switch outlook {
        case .turn(_, let earlier): earlier
        case .waits(.operation(let earlier)): earlier
        case .waits(.row(let wait)): wait.lacks == nil ? wait.operation : nil
        case .waits, nil: nil
        }
    }

    private var waitName: String? {
        switch outlook {
        case .turn(_, after: .some), .waits(.operation): "operation"
        case .turn(_, after: nil): row.kind == OperationKind.create.rawValue ? nil : "pull"
        case .waits(.time(let isAsked)): isAsked ? "server" : "backoff"
        case .waits(.row(let wait)): wait.isCircle ? "circle" : "row"
        case .waits(.delete): "delete"
        case .waits(.pulls): "pulls"
        case .waits(.answer): "answer"
        case .waits(.acceptance), nil: "person"
        }
    }
}
