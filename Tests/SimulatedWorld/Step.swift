/// One thing that happens in a run. It has a seed of its own, so that leaving another one out
/// shifts nothing in it.
package struct Step: Sendable, Hashable {
    /// Its place in the whole plan; stays when others are left out.
    package let number: Int
    package let seed: UInt64
    package let event: Event
    /// What goes wrong meanwhile; only for cycles and writes.
    package var disturbances: [Disturbance] = []
    /// Somebody in between answers every change with this status.
    package var firewall: Int?
}

/// What a step is.
package enum Event: Sendable, Hashable {
    case script(device: Int, ScriptWrite)
    case otherClient(OtherAct)
    case timePasses(milliseconds: Int64)
    /// An administrator sets the clock on the wall.
    case clockStep(device: Int, seconds: Int64)
    case reboot(device: Int)
    /// The server forgets everything; its operator makes the account again.
    case amnesia
    /// The operator changes the password, or changes it back.
    case password(isChanged: Bool)
    /// The list of movies changes.
    case moviesChange
    case cycle(device: Int, Cause)
    case moviesCycle(device: Int)
}

/// What a script on a device writes.
package enum ScriptWrite: Sendable, Hashable {
    case addFresh, addEqual, remove
    /// Retries or drops what the server refused.
    case mend
}

/// What another client of the account does.
package enum OtherAct: Sendable, Hashable {
    case addFresh, addEqual, remove
    /// Most of the rows at once.
    case removeMost
}

/// Why a cycle starts.
package enum Cause: Sendable, Hashable {
    case due, localWrite, asked, askedAcceptingRemovals
}

/// Something that goes wrong, or happens, in the middle of a step.
package struct Disturbance: Sendable, Hashable {
    /// Which request of the cycle, for a fault; which moment, for what happens meanwhile. A moment
    /// is before a request reaches the server, and after.
    package let place: Int
    package let seed: UInt64
    package let kind: Kind

    package enum Kind: Sendable, Hashable {
        case fault(Fault)
        case script(ScriptWrite)
        case otherClient(OtherAct)
        /// Another device has a whole cycle.
        case cycleOf(device: Int)
        /// The process dies.
        case death
        /// The process dies at this write of its own to the disk.
        case deathAtWrite(Int)
        /// From this write on the disk is full, for so many writes.
        case fullDisk(Int, writes: Int)
    }
}

/// What the network or the server does to one request.
package enum Fault: Sendable, Hashable {
    /// Not sent at all: nobody listens.
    case cannotConnect
    /// Lost on its way.
    case loseRequest
    /// It takes effect; the answer is lost, at once or after the whole timeout.
    case loseAnswer(waits: Bool)
    /// The connection breaks, and it takes effect later.
    case applyLate
    /// The answer comes so much later.
    case delay(milliseconds: Int64)
    /// A proxy sends it twice.
    case duplicate
    /// Another status, after it took effect or instead.
    case status(Int, applied: Bool, retryAfter: Int?)
    /// A page of HTML under status 200.
    case html(applied: Bool)
    /// The body ends early.
    case truncate
    /// 204 or an empty 200 where there is something to say.
    case noContent(applied: Bool)
    /// A create is answered with the id of its row alone.
    case idOnly
    /// A row of the list is unusable.
    case spoiledRow
    /// A row of the list is there twice.
    case doubledRow
    /// The machine sleeps for hours while it is under way.
    case suspend
    /// The list is valid, and wrong: empty, cut in the middle, or from before the last change.
    case wrongList(WrongList)
    /// A proxy answers a DELETE with a 404 or 410 of its own; the row stays.
    case notThere(Int)
    /// A row that somebody else wrote, without a title, stands in the list.
    case untitledRow
    /// A row of the list is there twice, with two titles.
    case differingRows

    package enum WrongList: Sendable, Hashable { case empty, cut, stale }
}
