internal import Declarations
internal import Host
internal import Recovery
internal import Rendering
internal import Rules
internal import Store
internal import SyncEngine
internal import Text

extension Console {
    /// Prints `status` as tables, or as one JSON document.
    func write(_ status: CacheStatus, now: WallTime, asJSON: Bool) throws(CommandError) {
        guard !asJSON else { return try write(status.json(now: now)) }
        try write(status.table(now: now))
        try write(line: "")
        try write(status.queueTable)
        try write(line: "")
        try write(status.placeTable)
        // On a terminal, remarks come after what they are about.
        try flush()
        if let holder = status.holder {
            note("process \(holder.pid) (\(holder.role.rawValue)) is syncing this cache")
        } else {
            note("no daemon is running: nothing is synced before `syncd sync` or `syncd run`")
        }
        for row in status.lists where status.holder != nil {
            if let progress = row.progress { note("\(row.list): \(progress)") }
        }
        if let refusal = status.refusal { warn(Sentence.joined(refusal.description, refusal.hint)) }
        for copy in status.setAside {
            note("\(ForeignText(copy.note ?? "a damaged cache lies at \(copy.path)"))")
        }
        for mend in status.mends { note("\(mend.subject): \(mend.hint)") }
        let mended = Set(status.mends.flatMap(\.lists))
        for row in status.lists where !mended.contains(row.list) {
            guard let hint = row.hint else { continue }
            // A table can cut the notice off.
            if let notice = row.notice {
                warn(Sentence.joined("\(row.list): \(notice)", hint))
            } else {
                note("\(row.list): \(hint)")
            }
        }
        for broken in status.broken { warn(broken.remark) }
        for plain in status.plain { warn(plain.remark) }
        for deletes in status.held { warn(deletes.remark) }
        for changes in status.unkept { warn(changes.remark) }
        for row in status.lists {
            for (problem, hint) in row.remarks {
                warn(Sentence.joined("\(row.list): \(problem)", hint))
            }
        }
        for doubt in status.doubts.prefix(LastingDoubt.namedAtMost) {
            warn(Sentence.joined(doubt.problem, doubt.hint))
        }
        if let remainder = LastingDoubt.remainder(of: status.doubts) {
            warn(Sentence.joined(remainder, LastingDoubt.whereAllAre))
        }
        if let remark = Conflict.remark(on: status.conflicts) { warn(remark) }
    }
}

extension CacheStatus {
    /// One row for each list.
    func table(now: WallTime) -> Table {
        Table(
            columns: [
                .init("list"), .init("state"), .init("rows", alignment: .trailing),
                .init("last success"), .init("next due"), .init("failures", alignment: .trailing),
                .init("last error", isFlexible: true),
            ],
            rows: lists.map { row in
                [
                    .init(row.list), .init(row.state, row.emphasis),
                    .init(row.rows.map { "\($0)" } ?? ""),
                    .init(Self.relative(row.lastSuccessAt, now: now, otherwise: "never")),
                    // Without a daemon, nothing is due.
                    .init(
                        holder.map { _ in Self.relative(row.nextDueAt, now: now, otherwise: "") }
                            ?? ""),
                    .init("\(row.failures)"), .init(row.lastError ?? ""),
                ]
            })
    }

    /// The outbox in numbers.
    var queueTable: Table {
        Table(
            columns: [.init("outbox"), .init("operations", alignment: .trailing)],
            rows: [
                ["queued", .init("\(queue.queued)")], ["sending", .init("\(queue.sending)")],
                ["in doubt", .init("\(queue.inDoubt)", queue.inDoubt > 0 ? .warning : .plain)],
                ["acknowledged", .init("\(queue.acknowledged)")],
                ["rejected", .init("\(queue.rejected)", queue.rejected > 0 ? .bad : .plain)],
            ])
    }

    /// Which cache this is, and whose: neither is ever cut.
    var placeTable: Table {
        Table(
            columns: [.init("cache", isWhole: true), .init("account", isWhole: true)],
            rows: [[.init(path), .init(account.map { "\($0.email) at \($0.baseURL)" } ?? "")]])
    }

    func json(now: WallTime) -> JSONValue {
        [
            "database": .string(path),
            "account": account.map {
                ["base_url": .string($0.baseURL), "email": .string($0.email)]
            } ?? .null,
            "syncing": holder.map {
                ["pid": .integer(Int64($0.pid)), "role": .string($0.role.rawValue)]
            } ?? .null,
            "lists": .array(lists.map { $0.json(now: now) }), "outbox": queue.json,
            "lasting_doubts": .array(doubts.map(\.json)), "conflicts": .integer(conflicts),
            "held_deletes": .array(held.map(\.json)),
            "unkept_changes": .array(unkept.map(\.json)),
            "broken_lists": .array(broken.map(\.json)),
            "plain_references": .array(plain.map(\.json)),
            "set_aside": .array(
                setAside.map { ["path": .string($0.path), "note": .optional($0.note)] }),
        ]
    }

    static func relative(_ iso: String?, now: WallTime, otherwise: String) -> String {
        guard let moment = iso.flatMap({ HumanTime.milliseconds(iso: $0) }) else {
            return otherwise
        }
        return HumanTime.relative(moment, now: now.milliseconds)
    }
}

extension QueueCounts {
    var json: JSONValue {
        [
            "queued": .integer(queued), "sending": .integer(sending),
            "in_doubt": .integer(inDoubt),
            "acknowledged": .integer(acknowledged), "rejected": .integer(rejected),
        ]
    }
}

extension StatusRow {
    /// What is wrong with a list that was taken; nil where nothing is.
    var notice: String? { SyncState(rawValue: state) == .ok ? lastError : nil }

    /// Whether the list was taken though the server has more.
    var isCut: Bool { notice != nil && complete == false }

    /// Says that the server has rows which the table does not have; nil where it has them all.
    var skippedRemark: String? {
        skippedProblem.map { Sentence.joined("\(list): \($0)", skippedHint) }
    }

    var skippedProblem: String? {
        guard skipped > 0 else { return nil }
        return skipped == 1
            ? "1 row of the server is skipped, because it cannot be taken"
            : "\(skipped) rows of the server are skipped, because they cannot be taken"
    }

    var skippedHint: String { "`syncd lists check \(list)` names them and says why." }

    /// What the person can do about the state; nil where nothing is to be done.
    var hint: String? {
        guard notice == nil else {
            return isInParts
                ? "`syncd query 'SELECT * FROM list_parts'` tells of each part." : ListGap.cutHint
        }
        return SyncState(rawValue: state).flatMap { $0.hint(for: list) }
    }

    var emphasis: Style.Emphasis {
        switch SyncState(rawValue: state) {
        case .ok: notice == nil ? .good : .warning
        case .needsCredentials, .misconfigured, .untrusted: .bad
        case .offline, .failing, .held, .waiting, nil: .warning
        }
    }

    func json(now: WallTime) -> JSONValue {
        [
            "list": .string(list), "state": .string(state),
            "last_attempt_at": .optional(lastAttemptAt),
            "last_success_at": .optional(lastSuccessAt),
            "age_ms": .optional(
                (oldestPart ?? lastSuccess).map { max(0, now.milliseconds - $0.milliseconds) }),
            "next_due_at": .optional(nextDueAt), "failures": .integer(failures),
            "last_error": .optional(lastError), "hint": .optional(hint), "rows": .optional(rows),
            "duration_ms": .optional(durationMilliseconds),
            "complete": complete.map(JSONValue.bool) ?? .null, "skipped_rows": .integer(skipped),
            "mistakes": .array(mistakes.map { .string($0.problem) }),
            "waiting": .integer(changes.waiting), "stuck": .integer(changes.stuck),
            "stuck_error": .optional(changes.error),
            "pages_read": .optional(progress?.pages), "pages_told": .optional(progress?.total),
            "mark": .optional(mark), "whole_at": .optional(wholeAt), "missed": .integer(missed),
        ]
    }
}

extension SyncState {
    /// What the person can do about a list in this state.
    func hint(for list: String) -> String? {
        switch self {
        case .ok, .waiting: nil
        case .offline: "Check the network and the base URL; a daemon tries again without you."
        case .failing: "Look at the server: it answers, and cannot do its work."
        case .needsCredentials where list == ListName.movies.text:
            "Check movies.tokenFile or movies.apiKeyFile with `syncd config`, then reload."
        case .needsCredentials where list == ListName.todos.text:
            "Check the credentials with `syncd login` and `syncd config`."
        case .needsCredentials:
            "Check the file of its secret, which `syncd lists show \(list)` names, then reload."
        case .misconfigured
        where [ListName.movies, .todos].contains { $0.text == list }:
            "Check the base URL with `syncd config`: it is not the API's."
        case .misconfigured:
            "Check its declaration and its base URL with `syncd lists show \(list)`."
        case .untrusted:
            "Check the server's certificate, http.caFile and the clock of this machine."
        case .held:
            "Look at the server; if the rows are really gone, run "
                + "`syncd sync \(list) --accept-removals`."
        }
    }
}
