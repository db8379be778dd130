import Declarations
import Host
import SQLite
import Store
import Testing

/// The ladder of those who follow a cache that they may only read.
@Suite struct `the ladder of a reader` {
    private static let start = BootTime(boot: "b", milliseconds: 1_000_000)

    /// Lets the ladder look into `store` as its moments say, at most a minute long and a hundred times;
    /// returns how often.
    private func looks(
        of ladder: inout WriteLadder, into store: CacheStore, from start: BootTime
    ) async throws -> Int {
        var now = start
        var count = 0
        while count < 100, now.elapsed(since: start) < .seconds(60) {
            if ladder.isDue(at: now) {
                count += 1
                let question = ladder.begin(at: now, asksForWork: false)
                ladder.take(try await store.look(for: question, now: now), at: now)
            } else if let next = ladder.next {
                now = next
            } else {
                break
            }
        }
        return count
    }

    @Test func `S5: a commit that is over is looked at once`() async throws {
        let cache = try Cache()
        let reader = try Cache.open(.readOnlyFile(cache.path))
        var ladder = WriteLadder()
        var now = Self.start
        for number in 0..<10 {
            // A cycle that changed nothing but its own moment.
            try await cache.store.record(
                CycleRecord(
                    list: .todos, state: .ok,
                    attemptedAt: WallTime(milliseconds: noon.milliseconds + Int64(number)),
                    pull: nil, failures: 0, error: nil, due: boot(5000), dueShown: noon,
                    dueAskedUntil: nil, durationMilliseconds: 1))
            now = now.advanced(by: .seconds(60))
            ladder.noteTouch(at: now)
            #expect(try await looks(of: &ladder, into: reader, from: now) == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a writer that takes its time is looked at until it has committed`(
        isReadOnly: Bool
    ) async throws {
        let cache = try Cache()
        let path = cache.path
        let follower = try Cache.open(isReadOnly ? .readOnlyFile(path) : .file(path))
        let script = try cache.script()
        try script.run("BEGIN IMMEDIATE")
        try script.run("INSERT INTO todos(title) VALUES ('slow')")
        #expect(await follower.isWriterActive())
        var ladder = WriteLadder()
        ladder.noteTouch(at: Self.start)
        // At 0, 1, 2, 4 … 1024 ms, then each second.
        #expect(try await looks(of: &ladder, into: follower, from: Self.start) == 12 + 58)
        try script.run("COMMIT")
        #expect(await !follower.isWriterActive())
        let later = Self.start.advanced(by: .seconds(120))
        #expect(try await looks(of: &ladder, into: follower, from: later) == 1)
        // The probe leaves the lock to others.
        try script.run("BEGIN IMMEDIATE")
        script.rollBack()
    }
}
