import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

/// The laws of the agenda, held against every short history and many long ones.
@Suite struct AgendaLawTests {
    @Test func `every history of four steps from the start keeps the laws`() {
        var count = 0
        // What it throws is recorded already.
        try? explore(World(), depth: 4, count: &count)
        #expect(count > 10_000)
    }

    @Test func `every history of four steps from a calm daemon keeps the laws`() {
        var world = World()
        world.settle()
        #expect(world.started == [.movies: 1, .todos: 1] && world.cycles.isEmpty)
        var count = 0
        // What it throws is recorded already.
        try? explore(world, depth: 4, count: &count)
        #expect(count > 3_000)
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func `a long history keeps the laws`(seed: UInt64) {
        var random = Steps(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        var world = World(watchdog: seed.isMultiple(of: 3) ? .seconds(20) : nil)
        for _ in 0..<200 {
            // Ends are rare, or every history would be short.
            let steps = world.steps(faults: true).filter { !$0.ends || random.next(200) == 0 }
            guard !steps.isEmpty, !world.hasLeft else { break }
            world.take(steps[random.next(steps.count)])
        }
        check(world)
    }

    /// A failure ends the test after its first history.
    private struct Failed: Error {}

    private func explore(_ world: World, depth: Int, count: inout Int) throws {
        if depth == 0 || world.hasLeft {
            count += 1
            if !check(world) { throw Failed() }
            return
        }
        for step in world.steps(faults: true) {
            var next = world
            next.take(step)
            try explore(next, depth: depth - 1, count: &count)
        }
    }

    @discardableResult
    private func check(_ world: World) -> Bool {
        var world = world
        world.settle()
        var failures = world.broken
        if world.stopped == nil {
            if !world.open.isEmpty { failures.append("requests stay unanswered: \(world.open)") }
            if world.unsent, world.lists.contains(.todos) {
                failures.append("a todo of others stays unsent")
            }
        } else if !world.hasLeft {
            failures.append("it did not leave")
        }
        if !failures.isEmpty {
            Issue.record("\(failures)\n\(world.trail.map(\.description).joined(separator: "\n"))")
        }
        return failures.isEmpty
    }
}

/// Chance that a seed repeats (xorshift).
struct Steps {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
