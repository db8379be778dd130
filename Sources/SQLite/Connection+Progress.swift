internal import CSQLite

/// Long statements: a sign that they go on, and a way to end them.
///
/// After every 100 000 steps of a statement, which take some milliseconds, whoever listens is called;
/// the steps of a statement that runs again and again are added up. Nobody may use the connection then.
/// Source: https://www.sqlite.org/c3ref/progress_handler.html
extension Connection {
    /// Runs `body`, and calls `tell` again and again while its statements work.
    public func telling<Result>(
        _ tell: () -> Void, during body: () throws -> Result
    ) rethrows -> Result {
        try withoutActuallyEscaping(tell) { tell in
            let outer = listener
            defer { listen(outer) }
            listen(
                ProgressListener {
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
            ProgressListener {
                let isOuterOver = outer?.tell() ?? false
                return isOver() || isOuterOver
            })
        return try body()
    }

    private func listen(_ listener: ProgressListener?) {
        self.listener = listener
        guard let listener else { return sqlite3_progress_handler(handle, 0, nil, nil) }
        sqlite3_progress_handler(
            handle, 100_000, ProgressListener.callback,
            Unmanaged.passUnretained(listener).toOpaque())
    }
}
