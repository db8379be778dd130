import APIClient
import APIClientTesting
import ReferenceAPI
import Testing
import Text

/// A token that renews others.
@Suite struct TokenRenewalTests {
    @Test(arguments: RenewalWorld.Manner.allCases)
    func `each refused token is renewed once, and the newest renews the next`(
        manner: RenewalWorld.Manner
    ) async throws {
        let world = RenewalWorld(manner)
        let process = world.process()
        for round in 1...5 {
            world.expire()
            #expect(try await process.request())
            #expect(try await process.request())
            #expect(world.calls == round)
        }
        #expect(world.store.renewal?.origin == "origin-1")
        #expect((world.store.renewal?.current == "origin-1") == (manner == .lasting))
        #expect(world.store.renewal?.isAnswerLost == false)
    }

    @Test func `a process that begins goes on with what the last one kept`() async throws {
        let world = RenewalWorld(.strict)
        #expect(try await world.process().request())
        #expect(try await world.process().request())
        #expect(world.calls == 1)
        world.expire()
        #expect(try await world.process().request())
        #expect(world.calls == 2)
    }

    @Test func `two processes use the tokens of one another`() async throws {
        let world = RenewalWorld(.strict)
        let (one, other) = (world.process(), world.process())
        for _ in 1...3 {
            world.expire()
            #expect(try await one.request())
            #expect(try await other.request())
        }
        #expect(world.calls == 3)
    }

    @Test func `what another process has renewed meanwhile is tried before a refusal counts`()
        async throws
    {
        let world = RenewalWorld(.strict)
        let other = world.process()
        let one = world.process { _ = try? await other.request() }
        #expect(try await one.request())
        #expect(world.calls == 3)
        world.expire()
        #expect(try await one.request())
    }

    @Test func `what another process has renewed stays, whatever becomes of the own request`()
        async throws
    {
        let world = RenewalWorld(.strict)
        let other = world.process()
        let one = world.process {
            _ = try? await other.request()
            world.fault(.notArrived)
        }
        await #expect(throws: APIError.transport(.timedOut(mayHaveArrived: false))) {
            try await one.request()
        }
        world.fault(.none)
        world.expire()
        #expect(try await world.process().request())
    }

    @Test func `a server that forgets a renewal gets the token from before it`() async throws {
        let world = RenewalWorld(.strict)
        let process = world.process()
        #expect(try await process.request())
        world.expire()
        #expect(try await process.request())
        world.setBack()
        #expect(try await process.request())
        #expect(world.calls == 4)
    }

    @Test func `a lost answer is told of where it costs a login`() async throws {
        let world = RenewalWorld(.strict)
        world.fault(.answerLost)
        let process = world.process()
        await #expect(throws: APIError.transport(.timedOut(mayHaveArrived: true))) {
            try await process.request()
        }
        world.fault(.none)
        for _ in 1...2 {
            let error = await #expect(throws: APIError.self) { try await process.request() }
            #expect(
                error?.description
                    == "the request was answered 400: invalid_grant; an earlier answer was lost,"
                    + " and perhaps a newer token in it")
        }
        world.logIn(as: "origin-2")
        #expect(try await process.request())
        #expect(world.store.renewal?.isAnswerLost == false)
    }

    @Test func `nothing is said of a lost answer where none was lost`() async throws {
        let world = RenewalWorld(.strict)
        world.fault(.notArrived)
        let process = world.process()
        await #expect(throws: APIError.transport(.timedOut(mayHaveArrived: false))) {
            try await process.request()
        }
        world.fault(.none)
        let error = await #expect(throws: APIError.self) {
            try await process.renewal.token(by: "of nobody")
        }
        #expect(error?.description == "the request was answered 400: invalid_grant")
    }

    @Test func `a full disk costs no token`() async throws {
        let world = RenewalWorld(.strict)
        let process = world.process()
        #expect(try await process.request())
        world.expire()
        world.store.allow(saves: 0)
        await #expect(throws: APIError.tokenStore("cannot keep the token: the disk is full")) {
            try await process.request()
        }
        #expect(world.calls == 1)
        // It fills up between the two.
        world.store.allow(saves: 1)
        #expect(try await process.request())
        world.expire()
        world.store.allow(saves: nil)
        #expect(try await process.request())
        #expect(try await world.process().request())
        #expect(world.calls == 3)
    }

    @Test func `another person's token is another account, and its tokens are its own`()
        async throws
    {
        let world = RenewalWorld(.strict)
        let process = world.process()
        #expect(try await process.request())
        let first = try process.renewal.account()
        let client = ListClient(
            baseURL: .localhost, credential: .login(process.session, refusal: 401), fields: [],
            limits: .standard, userAgent: "", transport: MockTransport { _ in }, secrets: Secrets())
        let mark = try #require(try client.namelessMark())
        world.logIn(as: "origin-2")
        #expect(try await process.request())
        #expect(try process.renewal.account() != first)
        #expect(try client.namelessMark() != mark)
        let calls = world.calls
        #expect(try await world.process().request())
        #expect(world.calls == calls)
    }

    /// Faults of network, server and disk, crashes and other processes, in an order that a seed draws.
    @Test(arguments: RenewalWorld.Manner.allCases)
    func `nothing but a lost answer of a strict server costs a login`(
        manner: RenewalWorld.Manner
    ) async throws {
        for seed in UInt64(1)...400 {
            var random = SeededGenerator(seed: seed)
            let world = RenewalWorld(manner)
            var processes = [world.process(), world.process()]
            for _ in 1...30 {
                let number = Int.random(in: 0...1, using: &random)
                switch Int.random(in: 0...9, using: &random) {
                case 0: world.fault(RenewalWorld.Fault.allCases.randomElement(using: &random)!)
                case 1...2: world.fault(.none)
                case 3...4: world.expire()
                case 5:
                    let saves = Int.random(in: 0...2, using: &random)
                    world.store.allow(saves: saves)
                case 6: world.store.allow(saves: nil)
                case 7:
                    processes[number] = world.process()
                    // What could not be written ends with the process.
                    world.noteLoss()
                default: _ = try? await processes[number].request()
                }
            }
            world.fault(.none)
            world.store.allow(saves: nil)
            world.expire()
            let calls = world.calls
            // Each process may know a token that the other one has renewed: a request tries one of them.
            var isAnswered = (try? await processes[0].request()) ?? false
            if !isAnswered { isAnswered = (try? await processes[0].request()) ?? false }
            #expect(isAnswered || manner == .strict && world.hasLost, "seed \(seed)")
            #expect(world.calls - calls <= 4, "seed \(seed)")
            world.logIn(as: "new")
            let isFirst = try await processes[1].request()
            let isAtLast = try await processes[1].request()
            #expect(isFirst || isAtLast, "seed \(seed)")
        }
    }
}
