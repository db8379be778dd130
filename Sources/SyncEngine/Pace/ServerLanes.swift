internal import APIClient
package import Declarations
package import Host
internal import Synchronization

/// The turns at one server, of all its lists together: so many reads and so many writes at once as are declared, at its
/// ``Pace``. Where it has to be asked slowly, reads and writes go by turns. A request that takes longer than a moment
/// takes no turn from another list.
public final class ServerLanes: Sendable {
    /// So many reads are under way at most, and so many writes.
    public let most: Int
    /// So long a request keeps other lists from its lane.
    package static let moment = Duration.seconds(1)
    let state: Mutex<State>

    /// What a request is for.
    package enum Use: Sendable, Hashable {
        case read, write

        var other: Use { self == .read ? .write : .read }
    }

    /// How a request ended, as far as it says something about the pace.
    package enum End: Sendable, Hashable {
        case taken
        /// The server was asked too often. It asks for a wait.
        case refused(asked: Duration?)
        /// Neither.
        case other
    }

    /// A request that may begin. It has to be ended.
    package struct Turn: Sendable, Hashable {
        let number: Int
        let start: Pace.Start
    }

    /// `most` is brought into 1…16.
    public init(most: Int) {
        self.most = min(max(most, 1), 16)
        state = Mutex(State(most: self.most))
    }

    /// How fast the server lets itself be asked.
    var pace: Pace { state.withLock { $0.pace } }

    /// How many requests wait for a turn.
    package var waiting: Int {
        state.withLock(\.waitingCount)
    }

    /// What an answer's header says of the limit.
    func learn(_ limit: RequestQuota, at now: BootTime) {
        state.withLock { $0.pace.learn(limit, at: now) }
    }

    /// Waits for a turn. Nil where the server wants a longer wait than `patience`: nothing may be sent before.
    package func turn(
        for use: Use, of list: ListName, by time: any TimeSource, patience: Duration
    ) async -> Turn? {
        if !pass(by: time, { $0.goesToDoor(use, of: list, at: time.bootTime()) }) {
            await wait(for: use, of: list, by: time)
        }
        while true {
            let now = time.bootTime()
            let wait = state.withLock { $0.pace.wait(at: now) }
            guard wait <= patience, !(Task.isCancelled && wait > .zero) else {
                pass(by: time) { $0.isDoorTaken = false }
                return nil
            }
            if wait > .zero {
                await time.wait(for: wait)
                continue
            }
            return pass(by: time) { state in
                state.isDoorTaken = false
                return state.begin(use, of: list, at: now)
            }
        }
    }

    /// Turns that can be had at once, at most `count`; none where the server has to be asked slowly.
    package func turns(
        _ count: Int, for use: Use, of list: ListName, by time: any TimeSource
    ) -> [Turn] {
        let now = time.bootTime()
        return state.withLock { state in
            var turns: [Turn] = []
            while turns.count < count, state.pace.gap == .zero, state.pace.wait(at: now) == .zero,
                !state.pace.isTrying, state.hasLane(for: use, of: list, at: now)
            {
                turns.append(state.begin(use, of: list, at: now))
            }
            return turns
        }
    }

    /// Ends a turn. Returns whether the pace slowed down for it: of many that are refused together, one counts.
    @discardableResult
    package func end(_ turn: Turn, as end: End, by time: any TimeSource) -> Bool {
        let now = time.bootTime()
        return pass(by: time) { state in
            state.end(turn)
            switch end {
            case .taken: state.pace.take(turn.start, at: now)
            case .refused(let asked):
                return state.pace.refuse(turn.start, asked: asked, at: now)
            case .other: break
            }
            return false
        }
    }

    /// Changes the state, and lets in who may go on by it.
    func pass<Result>(by time: any TimeSource, _ change: (inout State) -> Result) -> Result {
        let now = time.bootTime()
        let (result, changes) = state.withLock { state in
            let result = change(&state)
            return (result, state.changes(at: now))
        }
        for change in changes { change() }
        return result
    }
}
