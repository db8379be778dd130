import APIClient
import Host
import ReferenceAPI
import SyncEngine
import TestSupport

/// The network of one device, with the faults that the step under way names.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class DeviceNetwork: Transport, @unchecked Sendable {
    private unowned let world: World
    private let number: Int

    init(world: World, device: Int) {
        self.world = world
        number = device
    }

    private var device: Device { world.devices[number] }

    func send(_ asked: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let device = device
        let list = device.current?.isOfMovies == true ? nil : world.plan.setting.list
        let request = list?.todosRequest(asked) ?? asked
        guard let step = device.current?.step else { throw .cannotConnect("no cycle") }
        let place = device.current?.requests ?? 0
        device.current?.requests += 1
        guard place < 300 else {
            device.blame("P11: a cycle sends without end")
            throw .cannotConnect("storm")
        }
        let random = SeededRandom(seed: step.seed ^ UInt64(place) &* 0x9e37_79b9_7f4a_7c15)
        let started = world.clock.now
        defer { device.endedAt = world.clock.now }
        let limit = request.timeout.wholeMilliseconds
        for _ in 0..<random.index(3) { await Task.yield() }
        await device.passMoment()
        // A moment may have used up the time of this request, or its process may have ended.
        guard !device.isDead, !Task.isCancelled else { throw .cancelled(mayHaveArrived: true) }
        guard world.clock.now - started < limit else { throw .timedOut(mayHaveArrived: false) }
        let fault = step.fault(at: place)
        let shipment = device.checkArrival(request, leftAt: started)
        var delivery = Delivery(
            world: world, device: device, request: request, asked: asked, shipment: shipment,
            random: random)
        let answer: HTTPResponse
        do throws(TransportError) {
            answer = try delivery.answer(fault)
        } catch {
            note(request, fault, "\(error)")
            device.noteNoAnswer(shipment, mayHaveArrived: error.mayHaveArrived)
            throw error
        }
        for _ in 0..<random.index(3) { await Task.yield() }
        await device.passMoment()
        if world.clock.now - started > limit || device.isDead || Task.isCancelled {
            note(request, fault, "\(answer.status), too late")
            device.noteNoAnswer(shipment, mayHaveArrived: true)
            throw .timedOut(mayHaveArrived: true)
        }
        note(request, fault, "\(answer.status)")
        device.noteAnswer(answer, delivery: delivery, startedAt: started)
        return list?.answer(answer, to: asked) ?? answer
    }

    private func note(_ request: HTTPRequest, _ fault: Fault?, _ outcome: @autoclosure () -> String)
    {
        device.note(Self.line(request, fault, outcome()))
    }

    private static func line(_ request: HTTPRequest, _ fault: Fault?, _ outcome: String) -> String {
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let disturbed = fault.map { " [\($0)]" } ?? ""
        return "\(request.method.rawValue) \(request.target) \(body)\(disturbed) -> \(outcome)"
    }
}

extension Step {
    func fault(at place: Int) -> Fault? {
        for disturbance in disturbances where disturbance.place == place {
            if case .fault(let fault) = disturbance.kind { return fault }
        }
        return nil
    }
}

extension Device {
    /// Where a process can die and others do something: before a request reaches the server, and
    /// after.
    func passMoment() async {
        guard let run = current else { return }
        current?.moments += 1
        noteMoviesSeen()
        for disturbance in run.step.disturbances where disturbance.place == run.moments {
            // What others do after the death of the process belongs to the next step.
            guard !isDead else { return }
            switch disturbance.kind {
            case .script(let write):
                script(
                    write, disturbance.seed, name: "\(run.step.number)-\(disturbance.seed % 1000)")
            case .otherClient(let act): world.otherClient(act, seed: disturbance.seed)
            case .cycleOf(let other):
                let device = world.devices[other]
                guard other != number, device.current == nil else { continue }
                await device.cycle(
                    Step(number: run.step.number, seed: disturbance.seed, event: run.step.event),
                    .scheduled)
            case .death:
                note("syncd dies")
                die()
            case .fault, .deathAtWrite, .fullDisk: break
            }
        }
    }
}
