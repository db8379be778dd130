internal import Host
internal import SyncEngine

/// Something that is under way at most once, and waits longer after each failure.
struct Errand: Sendable {
    /// Since when it is under way, nil where it is not.
    private var since: BootTime?
    /// After a failure: not before this moment.
    private(set) var waitsUntil: BootTime?
    private var failures = 0

    var isUnderWay: Bool { since != nil }

    /// Whether it has been under way for `limit`.
    func isStuck(at now: BootTime, after limit: Duration) -> Bool {
        since.map { now.elapsed(since: $0) >= limit } ?? false
    }

    func mayBegin(at now: BootTime) -> Bool {
        !isUnderWay && (waitsUntil.map { $0.hasCome(by: now) } ?? true)
    }

    mutating func begin(at now: BootTime) {
        since = now
        waitsUntil = nil
    }

    mutating func succeed() {
        since = nil
        failures = 0
    }

    mutating func fail(at now: BootTime) {
        since = nil
        failures += 1
        waitsUntil = now.advanced(by: Agenda.backoff.ceiling(afterFailures: failures))
    }

    /// Somebody asks: the wait ends.
    mutating func hurry() { waitsUntil = nil }
}

/// Whether to look at the cache for requests and due times, and what for.
struct LookState: Sendable {
    var errand = Errand()
    var isWanted = false
    /// Until the first look: requests that an earlier daemon took are taken again.
    private var takesAgain = true
    /// Somebody asked for a cycle: where no request waits, for one of every list.
    private var isAsked = false
    /// What the look under way was asked.
    private(set) var isAnsweringAsked = false
    /// The configuration changed under the look: its due times are of the old one.
    private(set) var isOutdated = false

    mutating func askFromOutside() {
        isWanted = true
        isAsked = true
        errand.hurry()
    }

    func mayBegin(at now: BootTime) -> Bool { isWanted && errand.mayBegin(at: now) }

    /// Returns whether to take again.
    mutating func begin(at now: BootTime) -> Bool {
        errand.begin(at: now)
        isWanted = false
        isAnsweringAsked = isAsked
        isAsked = false
        isOutdated = false
        return takesAgain
    }

    mutating func succeed() {
        errand.succeed()
        takesAgain = false
    }

    mutating func fail(at now: BootTime) {
        errand.fail(at: now)
        isWanted = true
        isAsked = isAsked || isAnsweringAsked
    }

    /// The due times of a new configuration are asked for.
    mutating func renew() {
        isWanted = true
        isOutdated = errand.isUnderWay
        errand.hurry()
    }
}
