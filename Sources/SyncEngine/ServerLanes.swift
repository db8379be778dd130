internal import APIClient
package import Host
internal import Synchronization

/// The turns at one server, of all its lists together: so many reads and so many writes at once as are declared, at its
/// ``Pace``. Where it has to be asked slowly, reads and writes go by turns.
public final class ServerLanes: Sendable {
    /// So many reads are under way at most, and so many writes.
    public let most: Int
    private let state: Mutex<State>

    /// What a request is for.
    package enum Use: Sendable, Hashable {
        case read, write

        fileprivate var other: Use { self == .read ? .write : .read }
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
        fileprivate let use: Use
        fileprivate let start: Pace.Start
    }

    private struct State {
        let most: Int
        var pace = Pace()
        var underWay: [Use: Int] = [:]
        var waiting: [Use: [CheckedContinuation<Void, Never>]] = [:]
        /// One waits for its moment; the others wait behind it.
        var isDoorTaken = false
        var last = Use.write

        /// The one that may go to the door now.
        mutating func admitted() -> CheckedContinuation<Void, Never>? {
            guard !isDoorTaken else { return nil }
            for use in [last.other, last] where hasLane(for: use) {
                guard waiting[use]?.isEmpty == false else { continue }
                isDoorTaken = true
                last = use
                return waiting[use]?.removeFirst()
            }
            return nil
        }

        func hasLane(for use: Use) -> Bool {
            pace.isTrying
                ? underWay.values.allSatisfy { $0 == 0 } : underWay[use, default: 0] < most
        }

        mutating func begin(_ use: Use, at now: BootTime) -> Turn {
            underWay[use, default: 0] += 1
            return Turn(use: use, start: pace.begin(at: now))
        }
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
        state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } }
    }

    /// What an answer's header says of the limit.
    func learn(_ limit: RequestQuota, at now: BootTime) {
        state.withLock { $0.pace.learn(limit, at: now) }
    }

    /// Waits for a turn. Nil where the server wants a longer wait than `patience`: nothing may be sent before.
    package func turn(
        for use: Use, by time: any TimeSource, patience: Duration
    ) async -> Turn? {
        await withCheckedContinuation { continuation in
            let admitted = state.withLock { state in
                state.waiting[use, default: []].append(continuation)
                return state.admitted()
            }
            admitted?.resume()
        }
        while true {
            let now = time.bootTime()
            let wait = state.withLock { $0.pace.wait(at: now) }
            guard wait <= patience, !(Task.isCancelled && wait > .zero) else {
                pass { $0.isDoorTaken = false }
                return nil
            }
            if wait > .zero {
                await time.wait(for: wait)
                continue
            }
            return pass { state in
                state.isDoorTaken = false
                return state.begin(use, at: now)
            }
        }
    }

    /// Turns that can be had at once, at most `count`; none where the server has to be asked slowly.
    package func turns(_ count: Int, for use: Use, by time: any TimeSource) -> [Turn] {
        let now = time.bootTime()
        return state.withLock { state in
            var turns: [Turn] = []
            while turns.count < count, state.pace.gap == .zero, state.pace.wait(at: now) == .zero,
                !state.pace.isTrying, state.hasLane(for: use)
            {
                turns.append(state.begin(use, at: now))
            }
            return turns
        }
    }

    /// Ends a turn. Returns whether the pace slowed down for it: of many that are refused together, one counts.
    @discardableResult
    package func end(_ turn: Turn, as end: End, by time: any TimeSource) -> Bool {
        let now = time.bootTime()
        return pass { state in
            state.underWay[turn.use, default: 1] -= 1
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
    private func pass<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, admitted) = state.withLock { state in
            let result = change(&state)
            return (result, state.admitted())
        }
        admitted?.resume()
        return result
    }
}
