package import APIClient
package import Host
internal import Synchronization

/// The reads of one server's lists: so many at once as its ``Pace`` allows, of all lists together. Who is
/// refused slows down the others, too.
public final class ServerLanes: Sendable {
    /// So many requests are under way at most.
    public let most: Int
    private let state: Mutex<State>

    private struct State {
        var pace: Pace
        /// How often it was slowed down: what was refused while it was on its way says nothing more.
        var refusals = 0
        var underWay = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Those who may go on now.
        mutating func admitted() -> [CheckedContinuation<Void, Never>] {
            let count = min(max(pace.lanes - underWay, 0), waiting.count)
            defer { waiting.removeFirst(count) }
            underWay += count
            return Array(waiting.prefix(count))
        }
    }

    /// `most` is brought into 1…16.
    public init(most: Int) {
        self.most = min(max(most, 1), 16)
        state = Mutex(State(pace: Pace(lanes: self.most)))
    }

    /// How fast the server lets itself be asked.
    var pace: Pace { state.withLock { $0.pace } }

    /// A pull begins: if no other one is under way, what the server refused long ago counts no more.
    package func begin() {
        state.withLock { state in
            if state.underWay == 0, state.waiting.isEmpty { state.pace = Pace(lanes: most) }
        }
    }

    /// Reads when it is its turn, and where the server is asked too often again after a while: a limit
    /// of one request a second must not keep two pages apart for ever.
    package func read<Answer>(
        by time: any TimeSource, until stop: StopSignal,
        _ read: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        var refused = 0
        while true {
            await enter()
            let (gap, refusals) = state.withLock { ($0.pace.gap, $0.refusals) }
            if gap > .zero { await time.wait(for: gap) }
            do throws(APIError) {
                let answer = try await read()
                leave { $0.pace.speedUp() }
                return answer
            } catch {
                refused += 1
                guard case .status(let failure) = error, failure.isNotNow,
                    failure.retryAfter ?? .zero <= Pace.longestGap, !stop.isStopping,
                    refused < Pace.readRefusalsAtMost
                else {
                    leave { _ in }
                    throw error
                }
                leave { state in
                    guard state.refusals == refusals else { return }
                    state.refusals += 1
                    state.pace.slowDown(asked: failure.retryAfter)
                }
            }
        }
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let admitted = state.withLock { state in
                state.waiting.append(continuation)
                return state.admitted()
            }
            for one in admitted { one.resume() }
        }
    }

    private func leave(_ note: (inout State) -> Void) {
        let admitted = state.withLock { state in
            state.underWay -= 1
            note(&state)
            return state.admitted()
        }
        for one in admitted { one.resume() }
    }
}
