import APIClient
import Host
import SyncEngine
import TestSupport

/// The network between syncd and the server of a run.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class EditNetwork: Transport, @unchecked Sendable {
    private unowned let world: EditWorld

    init(_ world: EditWorld) { self.world = world }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let cycle = world.cycle, !cycle.isDead else { throw .cannotConnect("nobody") }
        let place = cycle.requests
        world.cycle?.requests += 1
        guard place < 200 else {
            world.blame("STORM: a cycle sends without end")
            throw .cannotConnect("storm")
        }
        if request.method != .get { world.noteListTaken() }
        world.noteIntents()
        if request.method != .get { world.checkShown(request) }
        let shipment = request.method == .get ? nil : world.shipment(of: request)
        if request.method != .get, shipment == nil {
            world.blame("NO_INTENT: \(request.method.rawValue) \(request.target) without one")
        }
        let disturbances = cycle.disturbances(at: place)
        let seed = cycle.step.seed ^ UInt64(place) &* 0x9e37_79b9_7f4a_7c15
        let random = SeededRandom(seed: seed)
        if random.happens(30) { await Task.yield() }
        let begins = disturbances.filter { $0.seed % 2 == 0 }
        try happen(begins, request, shipment, seed)
        let fault = disturbances.lazy.compactMap { disturbance -> EditFault? in
            if case .fault(let fault) = disturbance.kind { fault } else { nil }
        }.first
        let answer: HTTPResponse
        do throws(TransportError) {
            answer = try self.answer(request, shipment, fault, random, seed)
        } catch {
            world.note("\(request.method.rawValue) \(request.target): \(error)")
            throw error
        }
        world.note("\(request.method.rawValue) \(request.target): \(answer.status)")
        if random.happens(30) { await Task.yield() }
        try happen(disturbances.filter { $0.seed % 2 == 1 }, nil, nil, seed)
        guard world.cycle?.isDead == false else { throw .cancelled(mayHaveArrived: true) }
        return answer
    }

    /// What happens beside the request; one that dies with its process can take effect later.
    private func happen(
        _ disturbances: [EditDisturbance], _ request: HTTPRequest?, _ shipment: EditShipment?,
        _ seed: UInt64
    ) throws(TransportError) {
        for disturbance in disturbances where world.cycle?.isDead == false {
            let random = SeededRandom(seed: disturbance.seed)
            switch disturbance.kind {
            case .fault, .deathAtLook, .lacksRow: continue
            case .person(let act): world.person(act, random)
            case .others(let act): world.others(act, random)
            case .death:
                guard world.die() else { continue }
                if let request, let shipment, random.happens(50) {
                    world.delay(request, shipment, at: seed)
                }
            }
            world.check()
        }
        guard world.cycle?.isDead == false else { throw .cancelled(mayHaveArrived: true) }
    }

    private func answer(
        _ request: HTTPRequest, _ shipment: EditShipment?, _ fault: EditFault?,
        _ random: SeededRandom, _ seed: UInt64
    ) throws(TransportError) -> HTTPResponse {
        // The time of a request that is not answered passes, or its connection breaks at once.
        let wait = random.happens(50) ? EditWorld.timeout : 0
        switch fault {
        case .none: return served(request, shipment, seed, isHeard: true)
        case .losesRequest:
            world.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case .losesAnswer:
            _ = served(request, shipment, seed, isHeard: false)
            world.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case .comesLate:
            if let shipment { world.delay(request, shipment, at: seed) }
            world.pass(wait)
            throw .timedOut(mayHaveArrived: true)
        case .notSent: throw .cannotConnect("refused")
        case .refuses where shipment != nil: return HTTPResponse(status: 422)
        case .conflicts where shipment != nil: return HTTPResponse(status: 409)
        case .notFound where shipment != nil || request.target != EditWorld.list:
            if shipment == nil { world.deniedReads.insert(request.target) }
            return HTTPResponse(status: 404)
        case .isStale where shipment != nil && world.setting.declaration.hasVersion:
            return HTTPResponse(status: 412)
        case .refuses, .conflicts, .notFound, .isStale, .fails: return HTTPResponse(status: 500)
        case .failsAfterwards:
            _ = served(request, shipment, seed, isHeard: false)
            return HTTPResponse(status: 502)
        case .isBusy: return HTTPResponse(status: 503, fields: [HTTPField("Retry-After", "1")])
        }
    }

    private func served(
        _ request: HTTPRequest, _ shipment: EditShipment?, _ seed: UInt64, isHeard: Bool
    ) -> HTTPResponse {
        guard let shipment else {
            return request.target == EditWorld.list
                ? world.list(request, at: seed) : world.read(request, at: seed)
        }
        let manner = EditManner(world.setting, shipment, at: seed)
        let answer = world.answer(request, shipment, manner)
        if isHeard { world.noteAnswer(answer, to: shipment, manner) }
        return answer
    }
}

/// The clock of a run, at whose readings syncd can die.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class EditClock: TimeSource, @unchecked Sendable {
    private unowned let world: EditWorld

    init(_ world: EditWorld) { self.world = world }

    func wallTime() -> WallTime { WallTime(milliseconds: 1_800_000_000_000 + world.now) }

    func bootTime() -> BootTime {
        world.look()
        return BootTime(boot: "boot \(world.boots)", milliseconds: world.now - world.bootBegan)
    }

    func wait(for duration: Duration) async { world.pass(duration.wholeMilliseconds) }
}
