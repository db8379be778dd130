import APIClient
import Host
import SyncEngine
import TestSupport

/// The network between syncd and the server of projects and tasks.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class RelatedNetwork: Transport, @unchecked Sendable {
    private unowned let run: RelatedRun

    init(_ run: RelatedRun) { self.run = run }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard !run.isDead else { throw .cannotConnect("nobody") }
        run.requests += 1
        guard run.requests < 200 else {
            run.blame("STORM: a cycle sends without end")
            throw .cannotConnect("storm")
        }
        guard let random = run.unkindness else { return run.apply(request) }
        if random.happens(30) { await Task.yield() }
        let isMad = random.happens(run.plan.madness)
        if isMad { happen(random, request) }
        guard !run.isDead else { throw .cancelled(mayHaveArrived: true) }
        let answer: HTTPResponse
        do throws(TransportError) {
            answer = try self.answer(request, isMad ? random : nil)
        } catch {
            run.note("\(request.method.rawValue) \(request.target): \(error)")
            throw error
        }
        if random.happens(30) { await Task.yield() }
        if isMad { happen(random, nil) }
        guard !run.isDead else { throw .cancelled(mayHaveArrived: true) }
        return answer
    }

    /// What happens beside a request; one that dies with its process can take effect later.
    private func happen(_ random: SeededRandom, _ request: HTTPRequest?) {
        switch random.index(12) {
        case 0, 1: run.program(random)
        case 2: run.others(random)
        case 3:
            run.die()
            if let request, run.isDead, random.happens(50) { delay(request, random) }
        default: break
        }
    }

    private func delay(_ request: HTTPRequest, _ random: SeededRandom) {
        guard request.method != .get else { return }
        run.late.append((request, run.now + random.number(upTo: 2 * RelatedRun.timeout - 1)))
    }

    private func answer(
        _ request: HTTPRequest, _ random: SeededRandom?
    ) throws(TransportError) -> HTTPResponse {
        guard let random else { return run.apply(request) }
        let wait = random.happens(50) ? RelatedRun.timeout : 0
        switch random.index(12) {
        case 0, 1:
            _ = run.apply(request, isHeard: false)
            run.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case 2:
            run.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case 3:
            delay(request, random)
            run.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case 4: throw .cannotConnect("refused")
        case 5:
            _ = run.apply(request, isHeard: false)
            return HTTPResponse(status: 502)
        case 6: return HTTPResponse(status: 503, fields: [HTTPField("Retry-After", "1")])
        case 7 where request.method != .get: return HTTPResponse(status: 422)
        case 8 where request.method == .post: return HTTPResponse(status: 404)
        default: return run.apply(request)
        }
    }
}

/// The clock of a run, at whose readings syncd can die.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class RelatedClock: TimeSource, @unchecked Sendable {
    private unowned let run: RelatedRun

    init(_ run: RelatedRun) { self.run = run }

    func wallTime() -> WallTime { WallTime(milliseconds: 1_800_000_000_000 + run.now) }

    func bootTime() -> BootTime {
        run.look()
        return BootTime(boot: "boot", milliseconds: run.now)
    }

    func wait(for duration: Duration) async { run.pass(duration.wholeMilliseconds) }
}
