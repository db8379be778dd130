import APIClient
import APIClientTesting
import Dispatch
import Synchronization
import Testing

@Suite struct SessionConcurrencyTests {
    /// Each turn stands behind whatever else waits, such as a commit.
    @Test func `a token in use takes no turn of the executor`() async throws {
        let fixture = SessionFixture(stored: "stored")
        let executor = CountingExecutor()
        let turns = Task(executorPreference: executor) {
            _ = try await fixture.session.token()
            let before = executor.turns
            #expect(try await fixture.session.token() == "stored")
            return executor.turns - before
        }
        #expect(try await turns.value == 0)
    }

    @Test func `nobody waits for a leader that has landed already`() async {
        let flight = SingleFlight()
        #expect(flight.lead())
        #expect(!flight.lead())
        flight.land(.lookAgain)
        guard case .lookAgain = await flight.wait() else {
            Issue.record("waited for nobody")
            return
        }
        #expect(flight.lead())
    }

    @Test func `twenty callers that find a token refused share one login`() async throws {
        let fixture = SessionFixture(stored: "old")
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: SessionFixture.login(1)))
        let tokens = await withTaskGroup(of: Result<String, APIError>.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await SessionFixture.result { () async throws(APIError) in
                        try await fixture.session.renew(refused: "old")
                    }
                }
            }
            await fixture.waitForCallers(19)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: .success("token-1"), count: 20))
        #expect(fixture.logins == 1)
        #expect(fixture.store.saves == 1)
    }

    @Test func `twenty callers share one refusal`() async {
        let fixture = SessionFixture()
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: .status(401)))
        let results = await withTaskGroup(of: Result<String, APIError>.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await SessionFixture.result { () async throws(APIError) in
                        try await fixture.session.token()
                    }
                }
            }
            await fixture.waitForCallers(19)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results).count == 1)
        #expect(results.count == 20 && fixture.logins == 1)
    }

    @Test func `callers with differently refused tokens never get the one they had refused`()
        async throws
    {
        let fixture = SessionFixture(stored: "old")
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: SessionFixture.login(1)))
        async let first = fixture.session.renew(refused: "old")
        await fixture.mock.waitForRequests(1)
        fixture.mock.replace(.post, "/login", SessionFixture.login(2))
        async let second = SessionFixture.result { () async throws(APIError) in
            try await fixture.session.renew(refused: "token-1")
        }
        await fixture.waitForCallers(1)
        gate.open()
        // The one who led is given what the login gave; the other refused that already.
        #expect(try await first == "token-1")
        #expect(await second == .success("token-2"))
    }

    @Test func `a waiter that is cancelled leaves at once and the login goes on`() async throws {
        let fixture = SessionFixture()
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: SessionFixture.login(1)))
        async let leader = fixture.session.token()
        await fixture.mock.waitForRequests(1)

        let waiter = Task {
            await SessionFixture.result { () async throws(APIError) in
                try await fixture.session.token()
            }
        }
        await fixture.waitForCallers(1)
        waiter.cancel()
        #expect(await waiter.value == .failure(.transport(.cancelled(mayHaveArrived: false))))
        #expect(fixture.session.waitingCallers == 0)

        gate.open()
        #expect(try await leader == "token-1")
        #expect(fixture.logins == 1)
    }

    @Test func `a caller that is cancelled already does not wait`() async throws {
        let fixture = SessionFixture()
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: SessionFixture.login(1)))
        async let leader = fixture.session.token()
        await fixture.mock.waitForRequests(1)
        let start = MockGate()
        let late = Task {
            // Comes back when it is cancelled, for nobody opens it.
            _ = await start.pass()
            return await SessionFixture.result { () async throws(APIError) in
                try await fixture.session.token()
            }
        }
        late.cancel()
        #expect(await late.value == .failure(.transport(.cancelled(mayHaveArrived: false))))
        gate.open()
        #expect(try await leader == "token-1")
    }

    @Test func `when the one who logs in is cancelled, one of those who wait logs in`() async throws
    {
        let fixture = SessionFixture()
        fixture.mock.on(
            .post, "/login", .held(MockGate(), then: .status(500)), SessionFixture.login(2))
        let leader = Task {
            await SessionFixture.result { () async throws(APIError) in
                try await fixture.session.token()
            }
        }
        await fixture.mock.waitForRequests(1)
        let results = await withTaskGroup(of: Result<String, APIError>.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    await SessionFixture.result { () async throws(APIError) in
                        try await fixture.session.token()
                    }
                }
            }
            await fixture.waitForCallers(5)
            leader.cancel()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(await leader.value == .failure(.transport(.cancelled(mayHaveArrived: true))))
        #expect(results == Array(repeating: .success("token-2"), count: 5))
        #expect(fixture.logins == 2)
    }

    @Test func `many callers, cancellations and refusals end, each with a token or an error`() async
    {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            let fixture = SessionFixture()
            fixture.allowLogins(100)
            let cancelled = (0..<30).map { _ in Bool.random(using: &random) }
            await withTaskGroup(of: Void.self) { group in
                for isCancelled in cancelled {
                    group.addTask {
                        let task = Task {
                            await SessionFixture.result { () async throws(APIError) in
                                let token = try await fixture.session.token()
                                return try await fixture.session.renew(refused: token)
                            }
                        }
                        if isCancelled { task.cancel() }
                        let result = await task.value
                        if !isCancelled, case .failure(let error) = result {
                            Issue.record("seed \(seed): \(error)")
                        }
                    }
                }
            }
            #expect(fixture.session.waitingCallers == 0)
        }
    }
}

/// Counts the jobs that it runs.
private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "counting executor")
    private let count = Mutex(0)

    var turns: Int { count.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        count.withLock { $0 += 1 }
        let unowned = UnownedJob(job)
        queue.async { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
