import APIClientTesting
import Daemon
import Declarations
import Host
import Store
import SyncEngine
import TestSupport
import Testing

/// How the daemon ends.
@Suite(.timeLimit(.minutes(3))) struct StopTests {
    let rig: Rig

    init() throws { rig = try Rig() }

    /// A runner whose cycles wait for `gate`, or for their cancellation.
    private func waiting(at gate: MockGate) -> ScriptedRunner {
        ScriptedRunner { [rig] call, _ throws(StoreError) in
            _ = await gate.pass()
            return rig.fine(call.list, dueIn: 0)
        }
    }

    @Test func `a cycle that ends in the grace time ends by itself`() async throws {
        let gate = MockGate()
        let runner = waiting(at: gate)
        let ended = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            #expect(rig.stop.isStopping)
            gate.open()
            _ = await runner.ended(2)
        }
        #expect(throws: Never.self) { try ended.get() }
        #expect(runner.state.value.began.count == 2 && rig.ends.value == [])
    }

    @Test func `S7: a pull that is given up ends the daemon without a word`() async throws {
        let gate = MockGate()
        let runner = ScriptedRunner { _, _ throws(StoreError) in
            _ = await gate.pass()
            throw .stopped
        }
        let ended = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            gate.open()
            _ = await runner.ended(2)
        }
        #expect(throws: Never.self) { try ended.get() }
        #expect(rig.ends.value == [])
        #expect(!rig.pipe.lines().contains { $0.contains("asked to stop") })
    }

    @Test func `after three seconds requests in flight are ended`() async throws {
        let runner = waiting(at: MockGate())
        _ = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            #expect(runner.state.value.ended == [])
            try rig.tick()
            _ = await runner.ended(2)
        }
        #expect(rig.ends.value == [])
    }

    @Test func `P20: asked to stop, nobody goes on with what took the cache's place`() async throws
    {
        let gate = MockGate()
        let runner = ScriptedRunner { _, _ throws(StoreError) in
            _ = await gate.pass()
            throw .replaced(path: "x")
        }
        let ended = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            gate.open()
        }
        #expect(throws: DaemonError.replacedWhileStopping(path: "x")) { try ended.get() }
    }

    @Test func `a first signal after the cache is gone does not end the process at once`()
        async throws
    {
        let gate = MockGate()
        let isReleased = Observed(false)
        let runner = ScriptedRunner { [rig] call, _ throws(StoreError) in
            if call.list == .movies {
                _ = await gate.pass()
                throw .replaced(path: "x")
            }
            // Work that does not look at its cancellation.
            await isReleased.wait { $0 }
            return rig.fine(call.list)
        }
        let ended = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            gate.open()
            let end = rig.time.bootTime().advanced(by: .milliseconds(1500))
            await rig.ticker.armed.wait { $0 == end }
            rig.wakes.send(.stop)
            isReleased.change { $0 = true }
        }
        #expect(throws: DaemonError.replacedWhileStopping(path: "x")) { try ended.get() }
        #expect(rig.ends.value == [])
    }

    @Test func `a second signal ends the process at once`() async throws {
        let gate = MockGate()
        let runner = waiting(at: gate)
        _ = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            rig.wakes.send(.stop)
            await rig.ends.wait { $0 == [.secondSignal] }
            #expect(runner.state.value.ended == [])
            gate.open()
        }
    }

    @Test func `what cannot be ended in time does not hold the process`() async throws {
        let isReleased = Observed(false)
        let runner = ScriptedRunner { [rig] call, _ throws(StoreError) in
            // Work that does not look at its cancellation.
            await isReleased.wait { $0 }
            return rig.fine(call.list)
        }
        _ = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            try rig.tick()
            let end = rig.time.bootTime().advanced(by: .milliseconds(1500))
            await rig.ticker.armed.wait { $0 == end }
            try rig.tick()
            await rig.ends.wait { $0 == [.overdue(nil)] }
            isReleased.change { $0 = true }
        }
    }
}
