@preconcurrency internal import Dispatch
internal import Host
internal import SyncEngine

/// Work that SIGINT, SIGTERM or a limit of time ends in good order.
///
/// The work is asked to start no further request. It gets ``grace`` for the requests in flight, and
/// is then cancelled. It always ends before ``run(_:)`` returns, so that its results are written
/// down.
struct Interruptible: Sendable {
    let queue: DispatchQueue
    /// Nil for no limit.
    let limit: Duration?
    let stop: StopSignal
    /// How long the work may go on after the signal; asked for when that has come.
    let grace: @Sendable () -> Duration

    private enum Event<Value: Sendable>: Sendable {
        case ended(Result<Value, CommandError>)
        case signal
        case limit
        case grace
        /// A wait that was cancelled.
        case nothing
    }

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(CommandError) -> Value
    ) async throws(CommandError) -> Value {
        let (signals, tell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = try CommandError.from(CommandError.system) { () throws(SystemError) in
            try Signals([.terminate, .interrupt], on: queue) { [stop] _ in
                stop.stop()
                tell.yield()
            }
        }
        defer { listener.cancel() }
        return try await withTaskGroup(of: Event<Value>.self) { group in
            group.addTask {
                do throws(CommandError) {
                    return .ended(.success(try await work()))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { await Self.next(of: signals) }
            if let limit { group.addTask { await after(limit, .limit) } }
            return await outcome(of: &group)
        }.get()
    }

    private func outcome<Value: Sendable>(
        of group: inout TaskGroup<Event<Value>>
    ) async -> Result<Value, CommandError> {
        var reason: CommandError?
        while let event = await group.next() {
            switch event {
            case .ended(let result):
                group.cancelAll()
                if stop.isStopping, reason == nil { reason = .interrupted }
                // Work that was asked to stop ends without an error, and without having done all.
                return reason.map { .failure($0) } ?? result
            case .signal, .limit:
                guard reason == nil else { continue }
                if case .signal = event {
                    reason = .interrupted
                } else {
                    reason = .tryLater(
                        "the sync did not end in time", hint: "Allow more with --timeout.")
                }
                stop.stop()
                group.addTask { await after(grace(), .grace) }
            case .grace: group.cancelAll()
            case .nothing: continue
            }
        }
        return .failure(reason ?? .interrupted)
    }

    private func after<Value>(_ duration: Duration, _ event: Event<Value>) async -> Event<Value> {
        do throws(CancellationError) {
            try await wait(for: duration, on: queue)
            return event
        } catch {
            return .nothing
        }
    }

    private static func next<Value>(of signals: AsyncStream<Void>) async -> Event<Value> {
        for await _ in signals { return .signal }
        return .nothing
    }
}
