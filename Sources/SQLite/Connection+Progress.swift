internal import CSQLite

/// Long statements: a sign that they go on, and a way to end them.
///
/// After so many steps of a statement whoever listens is called; 100 000 of them take some milliseconds. The
/// steps of a statement that runs again and again are added up. Nobody may use the connection then.
/// Source: https://www.sqlite.org/c3ref/progress_handler.html
extension Connection {
    /// Seldom enough to cost nothing, for statements of our own: none of their steps takes long.
    private static let usualSteps: Int32 = 100_000
    /// Often enough to end SQL from outside in time: one step of it can be a function of large texts.
    private static let foreignSteps: Int32 = 1000

    /// Runs `body`, and calls `tell` again and again while its statements work.
    public func telling<Result>(
        _ tell: () -> Void, during body: () throws -> Result
    ) rethrows -> Result {
        try withoutActuallyEscaping(tell) { tell in
            let outer = listener
            defer { listen(outer) }
            listen(
                ProgressListener(every: steps) {
                    tell()
                    return outer?.tell() ?? false
                })
            return try body()
        }
    }

    /// Runs `body`; once `isOver` says so, the statement at work fails as ``ResultCode/interrupted``, and
    /// so does each long one after it. `sqlite3_interrupt` would reach only the one at work.
    public func interruptible<Result, Failure: Error>(
        when isOver: @escaping () -> Bool, during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = listener
        defer { listen(outer) }
        listen(
            ProgressListener(every: steps) {
                let isOuterOver = outer?.tell() ?? false
                return isOver() || isOuterOver
            })
        return try body()
    }

    /// From now on, the statement at work fails as ``ResultCode/interrupted`` once `isOver` says so, and so does each long
    /// one after it.
    public func interrupt(when isOver: @escaping () -> Bool) {
        listen(ProgressListener(every: steps, isOver))
    }

    private var steps: Int32 { reading == nil ? Self.usualSteps : Self.foreignSteps }

    private func listen(_ listener: ProgressListener?) {
        self.listener = listener
        guard let listener else { return sqlite3_progress_handler(handle, 0, nil, nil) }
        sqlite3_progress_handler(
            handle, listener.steps, ProgressListener.callback,
            Unmanaged.passUnretained(listener).toOpaque())
    }
}
