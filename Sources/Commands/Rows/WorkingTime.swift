internal import Dispatch
internal import Host
internal import Synchronization

/// How long SQLite may work for one command. What passes while rows are printed does not count: a person
/// may read them in a pager.
final class WorkingTime: Sendable {
    private struct State {
        var spent = Duration.zero
        var beginning: SuspendingClock.Instant?

        var all: Duration { spent + (beginning.map { SuspendingClock.now - $0 } ?? .zero) }
    }

    /// The most that it may take.
    let limit: Duration
    private let state = Mutex(State())

    init(upTo limit: Duration) { self.limit = limit }

    /// Whether the limit is reached.
    var isOver: Bool { state.withLock(\.all) >= limit }

    /// Counts the time of `work`.
    func count<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        state.withLock { $0.beginning = SuspendingClock.now }
        defer {
            state.withLock { state in
                state.spent = state.all
                state.beginning = nil
            }
        }
        return try work()
    }

    /// So much longer one call of a function may take: SQLite asks nobody while it computes one value.
    private static let grace = Duration.seconds(1)

    /// Does `work`, and calls `end` on another thread once the limit is passed by a moment, in the middle of whatever is
    /// computed.
    func watch<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result, orEnd end: @escaping @Sendable () -> Never
    ) throws(Failure) -> Result {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "syncd.time"))
        timer.setEventHandler {
            guard self.state.withLock(\.all) < self.limit + Self.grace else { end() }
        }
        // What passes between two rows moves the end.
        timer.schedule(
            deadline: .now() + .milliseconds(Int(clamping: (limit + Self.grace).wholeMilliseconds)),
            repeating: .seconds(1))
        timer.resume()
        defer { timer.cancel() }
        return try work()
    }
}
