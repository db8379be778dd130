/// How long SQLite may work for one command. What passes while rows are printed does not count: a person
/// may read them in a pager.
final class WorkingTime {
    /// The most that it may take.
    let limit: Duration
    private var spent = Duration.zero
    private var beginning: SuspendingClock.Instant?

    init(upTo limit: Duration) { self.limit = limit }

    /// Whether the limit is reached.
    var isOver: Bool {
        spent + (beginning.map { SuspendingClock.now - $0 } ?? .zero) >= limit
    }

    /// Runs `work` and counts its time.
    func count<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let beginning = SuspendingClock.now
        self.beginning = beginning
        defer {
            spent += SuspendingClock.now - beginning
            self.beginning = nil
        }
        return try work()
    }
}
