/// Something that may be a reason to sync, reload or stop.
public enum Wake: Sendable, Hashable, CaseIterable {
    /// The moment that a ``Ticker`` was armed for has come.
    case moment
    /// The cache's files were written to, or have left their place: another process, or this one,
    /// may be committing.
    case cacheTouched
    /// An address appeared on the machine.
    case networkUp
    /// A person or a program asks for a cycle (SIGUSR1); a request may wait in the cache.
    case syncNow
    /// A person asks to read the configuration again (SIGHUP).
    case reload
    /// End in good order; the second one, at once (SIGTERM, SIGINT).
    case stop
}
