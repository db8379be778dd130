package import Rules
package import Store

/// What a person can do with an operation of the outbox: the words for it, and for its risks.
package enum OutboxChange: String, Sendable, Hashable {
    case retry
    case drop

    /// What it risks where the operation is in doubt.
    package func risk(_ kind: OperationKind) -> String {
        switch (self, kind) {
        case (.retry, .create): "the row may be made twice"
        case (.retry, .update): "an older change may come after a newer one"
        case (.retry, .delete): "the row may be deleted already"
        case (.drop, .create): "the server may have made the row all the same"
        case (.drop, .update): "the server may have changed the row all the same"
        case (.drop, .delete): "the server may have deleted the row all the same"
        }
    }

    /// What was done to all, and what is left because it may take effect yet.
    package func told(_ outcome: OutboxOutcome) -> String {
        var parts = [
            "\(Self.count(outcome.changed, "change")) \(self == .retry ? "queued again" : "dropped")"
        ]
        if outcome.left.inDoubt > 0 {
            parts.append("\(outcome.left.inDoubt) in doubt left: --force ends the doubt")
        }
        if self == .drop, outcome.left.sending > 0 {
            parts.append("\(outcome.left.sending) being sent left: wait for the answer")
        }
        return parts.joined(separator: "; ")
    }

    /// What the ended doubts risk.
    package func warnings(_ outcome: OutboxOutcome) -> [String] {
        [
            (OperationKind.create, outcome.creates), (.update, outcome.updates),
            (.delete, outcome.deletes),
        ]
        .filter { $0.1 > 0 }
        .map { kind, count in
            "the doubt of \(Self.count(count, kind.rawValue)) was ended: \(risk(kind))"
        }
    }

    private static func count(_ number: Int64, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
