import APIClientTesting
import Daemon
import Declarations
import Host
import Store
import SyncEngine
import TestSupport
import Testing

/// The loop around the agenda, with scripted cycles.
@Suite(.timeLimit(.minutes(3))) struct SyncDaemonTests {
    let rig: Rig

    init() throws { rig = try Rig() }

    @Test func `cycles begin when they are due, and nothing is armed before`() async throws {
        let rig = rig
        let runner = ScriptedRunner { call, _ throws(StoreError) in
            rig.fine(call.list, dueIn: call.list == .todos ? 60 : 3600)
        }
        let due = rig.time.bootTime().advanced(by: .seconds(10))
        runner.state.change { $0.dues = [.movies: due, .todos: due] }
        let ended = try await rig.run(rig.daemon(runner)) {
            await rig.armed(in: 10)
            #expect(runner.state.value.began == [])
            try rig.tick()
            let first = await runner.ended(2)
            #expect(Set(first.map(\.list)) == [.movies, .todos])
            #expect(first.allSatisfy { $0.cause == .scheduled })
            await rig.armed(in: 60)
            try rig.tick()
            #expect(await runner.ended(3).last?.list == .todos)
            await rig.armed(in: 60)
        }
        #expect(throws: Never.self) { try ended.get() }
        #expect(rig.store.state.value.takes.first == true)
        #expect(rig.ends.value == [])
        #expect(!rig.wakes.isListenedTo)
    }

    @Test func `the cache rests once the last cycle has ended, and not before`() async throws {
        let rig = rig
        let gate = MockGate()
        let runner = ScriptedRunner { call, _ throws(StoreError) in
            if call.list == .movies { _ = await gate.pass() }
            return rig.fine(call.list)
        }
        let due = rig.time.bootTime().advanced(by: .seconds(10))
        runner.state.change { $0.dues = [.movies: due, .todos: due] }
        _ = try await rig.run(rig.daemon(runner)) {
            // After the opening, while no cycle is due.
            await rig.store.state.wait { $0.rests == 1 }
            await rig.armed(in: 10)
            try rig.tick()
            _ = await runner.ended(1)
            await rig.armed(in: 60)
            #expect(rig.store.state.value.rests == 1)
            gate.open()
            await rig.store.state.wait { $0.rests == 2 }
        }
    }

    @Test func `the cache rests when it was opened and nothing is due`() async throws {
        let rig = rig
        let runner = ScriptedRunner { call, _ throws(StoreError) in rig.fine(call.list) }
        let due = rig.time.bootTime().advanced(by: .seconds(10))
        runner.state.change { $0.dues = [.movies: due, .todos: due] }
        _ = try await rig.run(rig.daemon(runner)) {
            await rig.store.state.wait { $0.rests == 1 }
        }
        #expect(runner.state.value.began == [])
    }

    @Test func `no wakes make a list's cycles overlap, and two lists do`() async throws {
        let rig = rig
        let gate = MockGate()
        let runner = ScriptedRunner { call, number throws(StoreError) in
            if number == 1 { _ = await gate.pass() }
            return rig.fine(call.list)
        }
        _ = try await rig.run(rig.daemon(runner)) {
            _ = await runner.began(2)
            for round in 1...4 {
                for _ in 0..<25 {
                    for wake in [Wake.cacheTouched, .syncNow, .moment, .networkUp] {
                        rig.wakes.send(wake)
                    }
                }
                // The loop has seen the signals when it looked for their requests once more.
                await rig.store.state.wait { $0.takes.count > round }
            }
            #expect(runner.state.value.began.count == 2)
            gate.open()
            _ = await runner.ended(4)
            try await rig.armedFarAway()
        }
        // One each that was gated, one each for all that came meanwhile, and at most two more for
        // signals whose look at the requests was still under way when the gate opened.
        #expect(runner.state.value.began.count <= 8)
        #expect(runner.state.value.mostUnderWay == 1)
    }

    @Test func `requests of a daemon that ended are served first, and answered`() async throws {
        let rig = rig
        let cache = rig.store.cache
        let number = try await cache.requestSync(of: .todos, acceptsRemovals: true)
        _ = try await cache.takeRequests(again: false)
        let runner = ScriptedRunner { call, _ throws(StoreError) in
            let isPending = try await cache.isPending(number)
            #expect(isPending, "The answer comes after the cycle")
            return rig.fine(call.list)
        }
        let due = rig.time.bootTime().advanced(by: .seconds(60))
        runner.state.change { $0.dues = [.movies: due, .todos: due] }
        _ = try await rig.run(rig.daemon(runner)) {
            await rig.store.state.wait { $0.finished.count == 1 }
        }
        #expect(
            runner.state.value.ended
                == [.init(list: .todos, cause: .asked(acceptsRemovals: true))])
        #expect(try await !cache.isPending(number))
    }

    @Test func `a signal serves the request that waits, else every list`() async throws {
        let rig = rig
        let cache = rig.store.cache
        let runner = ScriptedRunner { call, _ throws(StoreError) in rig.fine(call.list) }
        let due = rig.time.bootTime().advanced(by: .seconds(60))
        runner.state.change { $0.dues = [.movies: due, .todos: due] }
        let asked = CycleCause.asked(acceptsRemovals: false)
        _ = try await rig.run(rig.daemon(runner)) {
            await rig.armed(in: 60)
            // The look of the opening shall not find what only the signal is to tell of.
            await rig.store.state.wait { !$0.signs.isEmpty }
            let number = try await cache.requestSync(of: .movies, acceptsRemovals: false)
            rig.wakes.send(.syncNow)
            await rig.store.state.wait { $0.finished.count == 1 }
            #expect(runner.state.value.ended == [.init(list: .movies, cause: asked)])
            #expect(try await !cache.isPending(number))
            rig.wakes.send(.syncNow)
            let all = await runner.ended(3)
            #expect(Set(all.dropFirst().map(\.list)) == [.movies, .todos])
            #expect(all.allSatisfy { $0.cause == asked })
        }
    }

    @Test func `an answer that cannot be written is written later`() async throws {
        let rig = rig
        _ = try await rig.store.cache.requestSync(of: .todos, acceptsRemovals: false)
        rig.store.state.change {
            $0.takeFailures = [.busy]
            $0.finishFailures = [.busy]
        }
        let runner = ScriptedRunner([.todos]) { call, _ throws(StoreError) in
            rig.fine(call.list)
        }
        _ = try await rig.run(rig.daemon(runner)) {
            await rig.armed(in: 1)
            #expect(runner.state.value.began == [])
            try rig.tick()
            _ = await runner.ended(1)
            await rig.armed(in: 1)
            try rig.tick()
            await rig.store.state.wait { $0.finished.count == 1 }
        }
    }

    @Test func `a full disk is told once, waited out, and over when it is over`() async throws {
        let rig = rig
        let runner = ScriptedRunner([.todos]) { call, number throws(StoreError) in
            if number <= 3 { throw .diskFull }
            return rig.fine(call.list)
        }
        let ended = try await rig.run(rig.daemon(runner)) {
            for (attempt, wait) in [1, 2, 4].enumerated() {
                _ = await runner.ended(attempt + 1)
                await rig.armed(in: wait)
                try rig.tick()
            }
            _ = await runner.ended(4)
            await rig.armed(in: 60)
        }
        #expect(throws: Never.self) { try ended.get() }
        let lines = rig.pipe.lines()
        #expect(lines.count { $0.hasPrefix("<4>the disk is full; trying again.") } == 1)
        #expect(lines.count { $0 == "<6>the cache works again" } == 1)
    }

    @Test func `a broken disk ends the daemon with its error, and what is under way`() async throws
    {
        let rig = rig
        let runner = ScriptedRunner { call, _ throws(StoreError) in
            if call.list == .todos { throw .inputOutput("disk I/O error") }
            #expect(await !MockGate().pass(), "Ended by cancellation only")
            return rig.fine(call.list)
        }
        let ended = await Rig.outcome(of: rig.daemon(runner))
        #expect(throws: DaemonError.store(.inputOutput("disk I/O error"))) { try ended.get() }
        #expect(rig.stop.isStopping)
        #expect(rig.pipe.lines().contains { $0.hasPrefix("<3>reading or writing the cache") })
    }

    @Test func `a kernel without a source is an error, and nothing begins`() async throws {
        let failure = SystemError(operation: "signalfd", code: 24)
        let runner = ScriptedRunner { call, _ throws(StoreError) in rig.fine(call.list) }
        let source = ManualWakes(failing: failure)
        let ended = await Rig.outcome(of: rig.daemon(runner, sources: [rig.wakes, source]))
        #expect(throws: DaemonError.system(failure)) { try ended.get() }
        #expect(runner.state.value.began == [] && !rig.wakes.isListenedTo)
    }

    @Test func `a task that is cancelled ends the daemon`() async throws {
        let rig = rig
        let runner = ScriptedRunner { call, _ throws(StoreError) in
            _ = await MockGate().pass()
            return rig.fine(call.list)
        }
        await withTaskGroup { group in
            group.addTask { _ = await Rig.outcome(of: rig.daemon(runner)) }
            _ = await runner.began(2)
            group.cancelAll()
        }
        #expect(rig.stop.isStopping && runner.state.value.ended.count == 2)
    }

    @Test func `P19: the service manager is told of start, state and end`() async throws {
        let rig = rig
        let gate = MockGate()
        let runner = ScriptedRunner([.todos]) { call, _ throws(StoreError) in
            _ = await gate.pass()
            try await rig.recordOffline(call.list)
            return rig.offline(call.list)
        }
        let daemon = rig.daemon(runner, environment: ["WATCHDOG_USEC": "20000000"])
        var messages: [String] = []
        _ = try await rig.run(daemon) {
            // What a cycle changes while the first line is being read stands in that line already.
            messages = await rig.manager.received { $0.contains("waiting") }
            // Nor is the look of the opening under way when the time jumps.
            await rig.store.state.wait { !$0.signs.isEmpty }
            gate.open()
            _ = await runner.ended(1)
            await rig.armed(in: 10)
            try rig.tick()
            await rig.armed(in: 10)
            messages += await rig.manager.received { $0.contains("offline") }
        }
        messages += rig.manager.received()
        // The second ping comes before or after the end of the cycle.
        #expect(messages.count { $0 == "WATCHDOG=1" } == 2)
        #expect(
            messages.filter { $0 != "WATCHDOG=1" } == [
                "READY=1", "STATUS=starting", "STATUS=todos: waiting, 0 rows; queue: empty",
                "STATUS=todos: offline (connection refused), 0 rows, next 1970-01-01 00:01:00 UTC; "
                    + "queue: empty",
                "STOPPING=1",
            ])
    }
}
