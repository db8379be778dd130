import APIClient
import Host
import SyncEngine
import TestSupport

/// The network between syncd and the server.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class SmallNetwork: Transport, @unchecked Sendable {
    private unowned let run: SmallRun

    init(_ run: SmallRun) { self.run = run }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard !run.isDead else { throw .cannotConnect("nobody") }
        run.requests += 1
        guard run.requests < 300 else {
            run.blame("STORM: a cycle sends without end")
            throw .cannotConnect("storm")
        }
        guard let random = run.unkindness else {
            return run.apply(request, isHeard: true, isLate: false)
        }
        if random.happens(30) { await Task.yield() }
        let isMad = random.happens(run.madness)
        // Other clients do not wait for the end of a list.
        if random.happens(15) { run.others(random) }
        if random.happens(10) { run.pass([200, 3000, 40_000][random.index(3)]) }
        if isMad, random.happens(10) { run.die() }
        guard !run.isDead else { throw .cancelled(mayHaveArrived: true) }
        let answer = try self.answer(request, isMad ? random : nil)
        if isMad, random.happens(10) { run.die() }
        guard !run.isDead else { throw .cancelled(mayHaveArrived: true) }
        return answer
    }

    private func answer(
        _ request: HTTPRequest, _ random: SeededRandom?
    ) throws(TransportError) -> HTTPResponse {
        guard let random else { return run.apply(request, isHeard: true, isLate: false) }
        switch random.index(8) {
        case 0, 1:
            _ = run.apply(request, isHeard: false, isLate: false)
            run.pass(random.happens(50) ? SmallRun.timeout : 0)
            throw .timedOut(mayHaveArrived: true)
        case 2: throw .timedOut(mayHaveArrived: true)
        case 3:
            if request.method != .get {
                run.late.append((request, run.now + random.number(upTo: 2 * SmallRun.timeout - 1)))
            }
            throw .timedOut(mayHaveArrived: true)
        case 4: throw .cannotConnect("refused")
        case 5: return HTTPResponse(status: 503)
        default: return run.apply(request, isHeard: true, isLate: false)
        }
    }
}
