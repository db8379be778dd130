package import APIClient
import Host
package import ReferenceAPI
import Synchronization

/// How often which fault happens, in percent of the requests.
package struct FaultRates: Sendable, Hashable {
    package var loseRequest = 0
    package var loseAnswer = 0
    /// The connection breaks, and the server gets the request a while later.
    package var applyLate = 0
    package var unavailable = 0
    package var tooMany = 0
    /// An error status after the request took effect.
    package var failAfterApplying = 0
    package var garbage = 0
    package var truncate = 0
    /// Refused for good.
    package var refuse = 0
    /// The token is refused, though it is good.
    package var unauthorized = 0

    package init() {}

    /// No fault at all.
    package static let none = FaultRates()

    /// The server of the issue: it loses 30 % of the answers after applying and 15 % of the
    /// requests before, and does the rest now and then.
    package static let bad: FaultRates = {
        var rates = FaultRates()
        rates.loseRequest = 15
        rates.loseAnswer = 30
        rates.applyLate = 4
        rates.unavailable = 4
        rates.tooMany = 2
        rates.failAfterApplying = 4
        rates.garbage = 2
        rates.truncate = 2
        rates.refuse = 2
        rates.unauthorized = 2
        return rates
    }()
}

/// The reference server behind a network that fails by seed.
package final class FaultyServer: Transport {
    private struct Late {
        let request: HTTPRequest
        let at: Int64
    }

    private struct World {
        var server: ReferenceServer
        var rates = FaultRates.none
        var late: [Late] = []
        var trace: [String] = []
        var isCutOff = false
    }

    private let world: Mutex<World>
    private let time: VirtualTime
    private let random: SeededRandom
    /// How long a request that was cut off may still take effect: below two request timeouts.
    private let lateness: Duration
    /// Called before and after each request reached the server: where a process can die, and where
    /// scripts write to its cache.
    private let moment: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    /// `server` behind a network whose faults `random` draws.
    package init(
        server: ReferenceServer, time: VirtualTime, random: SeededRandom, lateness: Duration
    ) {
        world = Mutex(World(server: server))
        self.time = time
        self.random = random
        self.lateness = lateness
    }

    package func setRates(_ rates: FaultRates) { world.withLock { $0.rates = rates } }

    /// From now on no request reaches the server: its process has died.
    package func setCutOff(_ isCutOff: Bool) { world.withLock { $0.isCutOff = isCutOff } }

    package var isCutOff: Bool { world.withLock { $0.isCutOff } }

    package func onMoment(_ body: (@Sendable () -> Void)?) { moment.withLock { $0 = body } }

    /// Reads or changes the server itself, as another client or its operator would.
    package func withServer<Result: Sendable>(
        _ body: @Sendable (inout ReferenceServer) -> Result
    ) -> Result {
        applyLate()
        return world.withLock { body(&$0.server) }
    }

    /// What went over the wire, one line a request.
    package var trace: [String] { world.withLock { $0.trace } }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let started = time.bootTime()
        for _ in 0..<random.index(3) { await Task.yield() }
        passMoment()
        // Other requests may have used up the time of this one: then it is never sent.
        guard time.bootTime().elapsed(since: started) < request.timeout else {
            throw .timedOut(mayHaveArrived: random.happens(50))
        }
        let fault = draw()
        applyLate()
        let isCutOff = world.withLock { world in
            world.trace.append("\(request.method.rawValue) \(request.target) \(fault)")
            return world.isCutOff
        }
        guard !isCutOff else { throw .cancelled(mayHaveArrived: true) }
        let answer = try reach(request, fault)
        for _ in 0..<random.index(3) { await Task.yield() }
        passMoment()
        guard time.bootTime().elapsed(since: started) <= request.timeout else {
            throw .timedOut(mayHaveArrived: true)
        }
        return answer
    }

    private func passMoment() {
        let body = moment.withLock { $0 }
        body?()
    }

    private enum Fault {
        case none, loseRequest, loseAnswer, applyLate, unavailable, tooMany, failAfterApplying
        case garbage, truncate, refuse, unauthorized
    }

    private func draw() -> Fault {
        let rates = world.withLock { $0.rates }
        var rest = random.index(100)
        for (fault, rate) in [
            (Fault.loseRequest, rates.loseRequest), (.loseAnswer, rates.loseAnswer),
            (.applyLate, rates.applyLate), (.unavailable, rates.unavailable),
            (.tooMany, rates.tooMany), (.failAfterApplying, rates.failAfterApplying),
            (.garbage, rates.garbage), (.truncate, rates.truncate),
            (.refuse, rates.refuse), (.unauthorized, rates.unauthorized),
        ] {
            if rest < rate { return fault }
            rest -= rate
        }
        return .none
    }

    private func reach(
        _ request: HTTPRequest, _ fault: Fault
    ) throws(TransportError) -> HTTPResponse {
        switch fault {
        case .none: return apply(request)
        case .loseRequest:
            if random.happens(30) { throw .cannotConnect("refused") }
            throw .interrupted("reset", mayHaveArrived: true)
        case .loseAnswer:
            _ = apply(request)
            if random.happens(50) { time.advance(by: request.timeout) }
            throw .timedOut(mayHaveArrived: true)
        case .applyLate:
            let delay = random.number(upTo: lateness.wholeMilliseconds)
            let at = time.bootTime().milliseconds + delay
            world.withLock { $0.late.append(Late(request: request, at: at)) }
            throw .interrupted("reset", mayHaveArrived: true)
        case .unavailable:
            let wish = random.happens(30) ? [HTTPField("Retry-After", "11")] : []
            return HTTPResponse(status: 503, fields: wish, body: Array("busy".utf8))
        case .refuse: return ReferenceServer.refusal(422, "not today")
        case .unauthorized: return ReferenceServer.refusal(401, "Unauthorized")
        case .tooMany:
            return HTTPResponse(status: 429, fields: [HTTPField("Retry-After", "7")])
        case .failAfterApplying:
            _ = apply(request)
            return HTTPResponse(status: random.happens(50) ? 500 : 302)
        case .garbage:
            _ = apply(request)
            return HTTPResponse(status: 200, body: Array("<html>please log in</html>".utf8))
        case .truncate:
            let whole = apply(request)
            guard !whole.body.isEmpty else {
                throw .interrupted("closed", mayHaveArrived: true)
            }
            return HTTPResponse(
                status: whole.status, fields: whole.fields,
                body: Array(whole.body.prefix(random.index(whole.body.count))))
        }
    }

    private func apply(_ request: HTTPRequest) -> HTTPResponse {
        let seconds = time.wallTime().milliseconds / 1000
        return world.withLock { $0.server.answer(request, at: seconds) }
    }

    /// Lets those requests take effect whose time has come, in the order they were delayed to.
    private func applyLate() {
        let now = time.bootTime().milliseconds
        let due = world.withLock { world in
            let due = world.late.filter { $0.at <= now }.sorted { $0.at < $1.at }
            world.late.removeAll { $0.at <= now }
            return due
        }
        for late in due { _ = apply(late.request) }
    }

    /// The machine was restarted: what was on its way arrives before anything else.
    package func settleLate() {
        let due = world.withLock { world in
            defer { world.late = [] }
            return world.late
        }
        for late in due { _ = apply(late.request) }
    }
}
