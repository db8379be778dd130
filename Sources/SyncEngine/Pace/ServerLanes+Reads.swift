package import APIClient
package import Declarations
package import Host

extension ListSource {
    /// Reads the page at `target`, by `POST` if it is asked for with a body; each request in its turn. Whoever reads the
    /// answer holds `share` until then.
    func read(
        _ target: String, body: [UInt8]? = nil, validators: Validators? = nil,
        naming names: [String] = [], for engine: Synchronizer, _ persistence: Persistence = .brief,
        share: BodyShare
    ) async throws(APIError) -> PullAnswer {
        try await client.pull(
            target, body: body, validators: validators, naming: names,
            in: turns(for: engine, persistence, share: share))
    }

    /// The turns of this list at its server.
    func turns(
        for engine: Synchronizer, _ persistence: Persistence = .brief, share: BodyShare? = nil
    ) -> ReadTurns {
        ReadTurns(
            lanes: lanes, list: name, time: engine.time, stop: engine.stop,
            persistence: persistence, share: share)
    }
}

/// The turns of the reads of one list.
struct ReadTurns: RequestTurns {
    let lanes: ServerLanes
    let list: ListName
    let time: any TimeSource
    let stop: StopSignal
    let persistence: Persistence
    let share: BodyShare?

    func take<Answer>(
        _ request: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        try await lanes.read(of: list, by: time, until: stop, persistence, request)
    }
}

/// How long a read goes on where the server does not take it for now.
package enum Persistence: Sendable, Hashable {
    /// A few times, and not for long: its cycle comes again.
    case brief
    /// In the middle of a list, whose pages would have to be read again: for so long, or twice as long as the server
    /// asks for.
    case lasting(Duration)
}

extension ServerLanes {
    /// Reads when it is its turn, and where the server is asked too often again after a while: a limit
    /// of one request a second must not keep two pages apart for ever.
    package func read<Answer>(
        of list: ListName, by time: any TimeSource, until stop: StopSignal,
        _ persistence: Persistence = .brief,
        _ read: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        var refused = 0
        var since: BootTime?
        while true {
            let patience = persistence == .brief ? Pace.patience : .seconds(3600)
            guard
                let turn = await turn(
                    for: .read, of: list, by: time, patience: patience)
            else {
                throw closed(at: time.bootTime())
            }
            do throws(APIError) {
                let answer = try await read()
                end(turn, as: .taken, by: time)
                return answer
            } catch {
                guard case .status(let failure) = error, persistence.isNotNow(failure) else {
                    end(turn, as: .other, by: time)
                    throw error
                }
                let now = time.bootTime()
                end(turn, as: .refused(asked: failure.retryAfter), by: time)
                refused += 1
                since = since ?? now
                guard !stop.isStopping, !Task.isCancelled,
                    persistence.goesOn(
                        after: refused, failure, for: since.map(now.elapsed) ?? .zero)
                else { throw error }
                if let asked = failure.retryAfter, asked > Pace.longestWait {
                    await time.wait(for: asked)
                }
            }
        }
    }

    /// What is told in the place of an answer while nothing may be sent.
    private func closed(at now: BootTime) -> APIError {
        guard !Task.isCancelled else { return .transport(.cancelled(mayHaveArrived: false)) }
        return .status(
            StatusFailure(
                code: 429,
                reason: "its limit is used up, and nothing is sent before it begins anew",
                retryAfter: min(max(pace.wait(at: now), .seconds(1)), RetryAfter.range.upperBound)))
    }
}

extension Persistence {
    fileprivate func isNotNow(_ failure: StatusFailure) -> Bool {
        failure.isNotNow || self != .brief && failure.code == 503
    }

    /// Whether a read that was refused so often goes again. The first refusal was `time` ago.
    fileprivate func goesOn(
        after refused: Int, _ failure: StatusFailure, for time: Duration
    ) -> Bool {
        switch self {
        case .brief:
            failure.retryAfter ?? .zero <= Pace.patience && refused < Pace.readRefusalsAtMost
        case .lasting(let patience): time < max(patience, (failure.retryAfter ?? .zero) * 2)
        }
    }
}
