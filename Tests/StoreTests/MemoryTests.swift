import Declarations
import Host
import Rules
import Store
import Testing

@Suite struct `what the store remembers` {
    @Test(arguments: StorePlace.allCases)
    func `a cycle's record is its status`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let failed = CycleRecord(
            list: .todos, state: .offline, attemptedAt: noon, pull: nil, failures: 3,
            error: "no route", due: boot(5000),
            dueShown: WallTime(milliseconds: noon.milliseconds + 5),
            dueAskedUntil: boot(4900), durationMilliseconds: 12)
        try await cache.store.record(failed)
        #expect(
            try await cache.rows("SELECT * FROM sync_status WHERE list = 'todos'")
                == [
                    "todos|offline|2023-11-14T22:13:20.000Z|-|2023-11-14T22:13:20.005Z|3|no route|0|12|-|0|0|0|-|-|-|-|-|0|-"
                ])
        var taken = failed
        taken.state = .ok
        taken.failures = 0
        taken.error = nil
        #expect(try await cache.store.memory(of: .todos).dueAskedUntil == boot(4900))
        taken.dueAskedUntil = nil
        taken.pull = PullFacts(began: boot(4000), rows: 20, complete: false)
        try await cache.store.record(taken)
        taken.pull = PullFacts(began: boot(4500), rows: nil, complete: nil)
        try await cache.store.record(taken)
        let status = try #require(try await cache.store.status().last)
        #expect(status.rows == 0)
        #expect(status.complete == false)
        #expect(status.lastSuccess == noon)
        #expect(status.lastError == nil)
        let memory = try await cache.store.memory(of: .todos)
        #expect(memory.pulledAt == boot(4500))
        #expect(memory.due == boot(5000))
        #expect(memory.dueAskedUntil == nil)
        #expect(memory.state == .ok)
        #expect(try await cache.store.memory(of: .movies).state == .waiting)
        try await cache.store.pauseReplay(of: .todos, until: boot(9000), askedUntil: boot(8000))
        #expect(try await cache.store.memory(of: .todos).pause == boot(9000))
        #expect(try await cache.store.memory(of: .todos).pauseAskedUntil == boot(8000))
        #expect(try await cache.store.memory(of: .movies).pause == nil)
        try await cache.expectLawful()
    }

    @Test func `the queue names the next moment it needs a cycle`() async throws {
        let cache = try Cache(.memory)
        func waits(_ now: BootTime) async throws -> [String] {
            let waits = try await cache.store.queueWaits(
                of: .todos, pullBegan: now, replayBegan: now, now: now, settlingTime: .seconds(20),
                confirmation: .seconds(60))
            return [waits.next.map { String($0.milliseconds) } ?? "-", "\(waits.hasSendable)"]
        }
        #expect(try await waits(boot(0)) == ["-", "false"])
        let (_, first) = try await cache.store.create("a", in: .sending)
        _ = try await cache.store.settle(first, .notApplied(wait(5000)))
        #expect(try await waits(boot(4999)) == ["5000", "false"])
        #expect(try await waits(boot(5000)) == ["-", "true"])
        // In doubt since 1000: decided at 21000, tried again (under its key) at 7000.
        let (_, second) = try await cache.store.create("b", in: .sending)
        _ = try await cache.store.settle(second, .doubtful(wait(7000), isOver: false))
        #expect(try await waits(boot(6000)) == ["7000", "true"])
        #expect(try await waits(boot(8000)) == ["21000", "true"])
        // In another boot, it counts as sent when that began, and no old moment is waited for.
        let other = BootTime(boot: "second", milliseconds: 50)
        #expect(try await waits(other) == ["20000", "true"])
    }
}
