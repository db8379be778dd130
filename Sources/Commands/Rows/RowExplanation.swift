package import Host
package import Rendering
internal import Rules
package import Store
internal import Text

/// Says where the values of a row come from: a pure function of the row and of the clocks.
package struct RowExplanation: Sendable {
    private let row: ExplainedRow
    private let wall: WallTime
    private let now: BootTime
    /// How a moment is shown.
    private let moment: @Sendable (WallTime) -> String

    package init(
        of row: ExplainedRow, wall: WallTime, now: BootTime,
        moment: @escaping @Sendable (WallTime) -> String
    ) {
        self.row = row
        self.wall = wall
        self.now = now
        self.moment = moment
    }

    // MARK: Columns

    /// Where a value comes from.
    package enum Source: String, Sendable, Hashable {
        /// The server showed it.
        case server
        /// It was sent, and is not decided.
        case sent
        /// It waits to be sent.
        case edit
        /// The create of the row says it.
        case create
        /// An edit that was dropped: the next sync shows the value of the server again.
        case dropped
    }

    package static func source(of column: ExplainedRow.Column) -> Source {
        if column.isEdit { return .edit }
        if column.sent != nil { return .sent }
        guard let server = column.server else { return .create }
        return server == column.value ? .server : .dropped
    }

    /// The values that lie beneath the one that is shown, the nearest first.
    package static func beneath(_ column: ExplainedRow.Column) -> [String] {
        let server = column.server.map { "\(shown($0)) at the server" }
        let sent = column.sent.map { "\(shown($0)) sent" }
        return switch source(of: column) {
        case .server, .create: []
        case .sent, .dropped: [server].compactMap(\.self)
        case .edit: [sent, server].compactMap(\.self)
        }
    }

    private static func shown(_ value: FieldValue) -> String {
        value.text.map { "‘\($0)’" } ?? "no value"
    }

    package var table: Table {
        Table(
            columns: [
                .init("column"), .init("value", isFlexible: true), .init("from"),
                .init("beneath it", isFlexible: true),
            ],
            rows: row.columns.map { column in
                let source = Self.source(of: column)
                return [
                    .init(column.name), .init(column.value.text ?? ""),
                    .init(source.rawValue, source == .server ? .plain : .warning),
                    .init(Self.beneath(column).joined(separator: ", ")),
                ]
            })
    }

    // MARK: Sentences

    /// What there is to say beside the values, a sentence or two each.
    package var sentences: [String] {
        [place, pull].compactMap(\.self) + row.operations.map(sentence)
    }

    private var place: String {
        let name = "row \(row.id) of \(row.list)"
        let place = row.serverID.map { "\(name) is \($0) at the server" }
        return (place ?? "\(name) is not at the server, as far as is known here")
            + (row.isShown ? "" : "; its delete hides it here")
    }

    private var pull: String {
        row.pulledAt.map { "the list was last taken \(moment($0))" } ?? "the list was never taken"
    }

    private func sentence(_ operation: ExplainedRow.Operation) -> String {
        let number = operation.sequence
        let subject =
            "operation \(number) (\(operation.kind.rawValue), \(operation.state.rawValue))"
        let sent = "\(subject) was sent\(ago(operation.sentAt))"
        let error = operation.lastError.map { ": \($0)" } ?? ""
        return switch operation.state {
        case .queued: "\(subject) \(wait(of: operation))\(lastAttempt(of: operation))"
        case .sending: "\(sent), and its answer is awaited"
        case .inDoubt:
            "\(sent), and whether it took effect is not known\(error); \(decision(on: operation))"
        case .acknowledged:
            "\(sent), and the server said yes; a list that begins a minute after that decides"
        case .rejected:
            "\(subject) was \(operation.attempts == 0 ? "not sent" : "refused by the server")\(error); `syncd outbox retry \(number)` sends it again, "
                + "`syncd outbox drop \(number)` \(dropping(operation.kind))"
        }
    }

    private func ago(_ sentAt: BootTime?) -> String {
        guard let sentAt else { return "" }
        guard sentAt.boot == now.boot else { return " before the machine was started" }
        return " \(HumanTime.brief(now.elapsed(since: sentAt))) ago"
    }

    /// What comes before a queued operation.
    private func wait(of operation: ExplainedRow.Operation) -> String {
        let earlier = row.operations.first { other in
            switch (other.state, other.kind, operation.kind) {
            case (.sending, .create, .update), (.sending, .update, .update),
                (.sending, .create, .delete), (.sending, .update, .delete),
                (.inDoubt, .create, .update), (.inDoubt, .update, .update),
                (.inDoubt, .create, .delete), (.inDoubt, .update, .delete),
                (.acknowledged, .create, .update), (.acknowledged, .create, .delete):
                true
            default: false
            }
        }
        if let earlier { return "waits until operation \(earlier.sequence) is decided" }
        if operation.isHeld {
            return "is held with others that were deleted at once; "
                + "`syncd sync \(row.list) --accept-deletes` lets it go, "
                + "`syncd outbox drop \(operation.sequence)` takes it back"
        }
        if let wait = operation.behindRow { return "waits for \(wait.sentence)" }
        let isDeleted = row.operations.contains { $0.kind == .delete && $0.state != .rejected }
        if operation.kind == .update, isDeleted {
            return "is sent only if the delete of the row is taken back"
        }
        if let notBefore = operation.notBefore, notBefore > wall {
            return "is sent not before \(moment(notBefore))"
        }
        return switch operation.kind {
        case .create: "is sent with the next sync"
        case .update, .delete: "is sent with the next sync whose list shows the row"
        }
    }

    private func lastAttempt(of operation: ExplainedRow.Operation) -> String {
        operation.lastError.map { "; its last attempt ended with: \($0)" } ?? ""
    }

    /// Which list decides a doubt.
    private func decision(on operation: ExplainedRow.Operation) -> String {
        switch operation.kind {
        case .create, .delete: return "the next whole lists decide it"
        case .update:
            guard let sentAt = operation.sentAt, let settling = operation.settlingTime else {
                return "the next list that shows the row decides it"
            }
            let settled = sentAt.advanced(by: settling)
            guard settled.boot == now.boot, settled.milliseconds > now.milliseconds else {
                return "the next list that shows the row decides it"
            }
            let rest = Duration.milliseconds(settled.milliseconds - now.milliseconds)
            return "a list that is read in \(HumanTime.brief(rest)) or later decides it"
        }
    }

    private func dropping(_ kind: OperationKind) -> String {
        switch kind {
        case .create: "removes the row"
        case .update: "takes the edits back"
        case .delete: "keeps the row"
        }
    }

    // MARK: JSON

    package var json: JSONValue {
        [
            "list": .string(row.list), "row_id": .integer(row.id),
            "server_id": .optional(row.serverID), "shown": .bool(row.isShown),
            "pulled_at": .optional(row.pulledAt?.description),
            "columns": .array(
                row.columns.map { column in
                    [
                        "name": .string(column.name), "value": .optional(column.value.text),
                        "from": .string(Self.source(of: column).rawValue),
                        "server": .optional(column.server?.text),
                        "sent": .optional(column.sent?.text),
                    ]
                }),
            "operations": .array(row.operations.map(\.json)),
            "sentences": .array(sentences.map { .string($0) }),
        ]
    }
}

extension ExplainedRow.Operation {
    fileprivate var json: JSONValue {
        [
            "seq": .integer(sequence.rawValue), "op": .string(kind.rawValue),
            "state": .string(state.rawValue), "attempts": .integer(attempts),
            "queued_at": .string(queuedAt.description),
            "not_before": .optional(notBefore?.description), "last_status": .optional(lastStatus),
            "last_error": .optional(lastError),
        ]
    }
}
