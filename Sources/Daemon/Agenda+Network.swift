internal import Host
internal import SyncEngine

/// When the network's coming up starts a cycle.
///
/// A link that flaps, and a machine whose routes change all day, must not become a storm: the first
/// event starts a cycle at once, each further one waits twice as long as the one before, until a
/// cycle went well.
struct NetworkWait: Sendable {
    /// From 250 ms, because an address is told before it can be used, to 1 min.
    private static let backoff = Backoff(base: .milliseconds(250), cap: .seconds(60))

    /// Whether events of the network are listened to.
    var isListening = false
    /// Something came up that no cycle was started for yet.
    private(set) var isWanted = false
    private var mayBeginAt: BootTime?
    private var begun = 0

    /// The moment at which a cycle is to be started, where one is.
    var moment: BootTime? { isWanted ? mayBeginAt : nil }

    mutating func noteUp() { isWanted = true }

    /// Whether to start a cycle now.
    mutating func begin(at now: BootTime) -> Bool {
        guard isWanted, mayBeginAt?.hasCome(by: now) ?? true else { return false }
        isWanted = false
        begun += 1
        mayBeginAt = now.advanced(by: Self.backoff.ceiling(afterFailures: begun))
        return true
    }
}

extension Agenda {
    /// Whether the last cycle of any list failed: only then it matters that the network comes up.
    var isAnyFailing: Bool { plans.values.contains { $0.isFailing } }

    /// Listens to the network only while a list is failing. So while all is well, changes of
    /// routes wake nobody.
    mutating func listen() -> [Action] {
        guard network.isListening != isAnyFailing else { return [] }
        network = NetworkWait()
        network.isListening = isAnyFailing
        return [network.isListening ? .listenToNetwork : .ignoreNetwork]
    }

    /// Asks for a cycle of what is failing, when the network came up and it is time.
    mutating func askAfterNetwork(at now: BootTime) {
        guard network.begin(at: now) else { return }
        for (list, plan) in plans where plan.isFailing {
            ask(list, .asked(acceptsRemovals: false))
        }
    }
}
