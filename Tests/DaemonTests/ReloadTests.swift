import APIClientTesting
import Daemon
import Declarations
import Host
import Store
import SyncEngine
import TestSupport
import Testing

/// SIGHUP: the configuration is taken wholly or not at all.
@Suite(.timeLimit(.minutes(3))) struct ReloadTests {
    let rig: Rig

    init() throws { rig = try Rig() }

    private func offlineRunner() -> ScriptedRunner {
        ScriptedRunner { [rig] call, _ throws(StoreError) in
            rig.offline(call.list, dueIn: 600)
        }
    }

    @Test func `a good configuration runs the next cycles, the failing ones at once`() async throws
    {
        let old = offlineRunner()
        let new = ScriptedRunner { [rig] call, _ throws(StoreError) in rig.fine(call.list) }
        let due = rig.time.bootTime().advanced(by: .seconds(600))
        new.state.change { $0.dues = [.movies: due, .todos: due] }
        let daemon = rig.daemon(old) { _ throws(ReloadError) in new }
        _ = try await rig.run(daemon) {
            _ = await old.ended(2)
            await rig.armed(in: 600)
            rig.wakes.send(.reload)
            let calls = await new.ended(2)
            #expect(Set(calls.map(\.list)) == [.movies, .todos])
            #expect(calls.allSatisfy { $0.cause == .asked(acceptsRemovals: false) })
            await rig.armed(in: 60)
        }
        #expect(old.state.value.began.count == 2)
        let messages = rig.manager.received()
        let reloading = try #require(messages.firstIndex { $0.hasPrefix("RELOADING=1\nMONO") })
        #expect(messages[reloading...].contains("READY=1"))
    }

    @Test func `a bad configuration is told, and the old one stays`() async throws {
        let old = offlineRunner()
        let daemon = rig.daemon(old) { _ throws(ReloadError) in
            throw ReloadError(description: "no key `todo`", hint: "Did you mean `todos`?")
        }
        _ = try await rig.run(daemon) {
            _ = await old.ended(2)
            await rig.armed(in: 600)
            rig.wakes.send(.reload)
            await rig.reloads.wait { $0 == 1 }
            rig.wakes.send(.syncNow)
            _ = await old.ended(4)
        }
        let line = "<3>the old configuration stays: no key `todo`. Did you mean `todos`?"
        #expect(rig.pipe.lines().contains(line))
        #expect(rig.manager.received().count { $0 == "READY=1" } == 2)
    }

    @Test func `a hundred signals during a reload are one more reload`() async throws {
        let gate = MockGate()
        let runner = offlineRunner()
        let daemon = rig.daemon(runner) { number throws(ReloadError) in
            if number == 1 { _ = await gate.pass() }
            return runner
        }
        _ = try await rig.run(daemon) {
            _ = await runner.ended(2)
            rig.wakes.send(.reload)
            await rig.reloads.wait { $0 == 1 }
            for _ in 0..<100 { rig.wakes.send(.reload) }
            gate.open()
            await rig.reloads.wait { $0 == 2 }
            // Each of both makes the failing lists due.
            _ = await runner.ended(4)
        }
        #expect(rig.reloads.value == 2)
    }
}
