internal import Host
package import Rules
internal import Store

/// Failures of the server itself, as against one todo's: as many different operations in a row as
/// may overlap that came to nothing (not sent, 429, 503) pause the whole replay.
package struct FailureRun: Sendable {
    private let limit: Int
    private var waits: [Postponement] = []
    private var kinds: Set<OperationKind> = []
    private var isAnswered = true

    /// A run that ends the replay after `limit` failures.
    package init(limit: Int) { self.limit = max(limit, 1) }

    /// Notes the end of an attempt; `wait` is set where it came to nothing.
    ///
    /// A run that was long enough stays so: what was in flight beside it changes nothing.
    package mutating func note(_ wait: Postponement?, of kind: OperationKind = .create) {
        if let wait {
            waits.append(wait)
            kinds.insert(kind)
            isAnswered = isAnswered && wait.status != nil
        } else if pause == nil {
            self = FailureRun(limit: limit)
        }
    }

    /// The earliest wait of the run once it is long enough: nothing is sent before it.
    package var pause: Postponement? {
        guard waits.count >= limit else { return nil }
        return waits.min { $0.until.milliseconds < $1.until.milliseconds }
    }

    /// The kind of all operations of a run that is long enough, if the server has answered each: an operation of
    /// another kind shows whether it is about the kind.
    package var suspect: OperationKind? {
        pause != nil && isAnswered && kinds.count == 1 ? kinds.first : nil
    }
}
