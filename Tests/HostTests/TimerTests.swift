import Dispatch
import Host
import Testing

@Suite(.timeLimit(.minutes(3))) struct TimerTests {
    let queue = DispatchQueue(label: "timer tests")
    let time: SystemTime
    let timer: BootTimer
    let comings: AsyncStream<Void>

    init() throws {
        time = try SystemTime()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        comings = stream
        timer = try BootTimer(on: queue, time: time) { continuation.yield() }
    }

    private func next() async {
        var iterator = comings.makeAsyncIterator()
        await iterator.next()
    }

    @Test func `a moment comes, and not before its time`() async {
        let moment = time.bootTime().advanced(by: .milliseconds(20))
        timer.arm(at: moment)
        await next()
        #expect(time.bootTime().milliseconds >= moment.milliseconds)
    }

    @Test(arguments: [-5, 0, 1] as [Int64])
    func `a moment that has passed comes at once`(milliseconds: Int64) async {
        timer.arm(at: BootTime(boot: time.bootTime().boot, milliseconds: milliseconds))
        await next()
    }

    @Test func `a moment of another boot comes at once`() async {
        timer.arm(at: BootTime(boot: "another", milliseconds: .max))
        await next()
    }

    @Test func `a moment takes the place of a later one, and can be disarmed`() async {
        timer.arm(at: time.bootTime().advanced(by: .seconds(86_400)))
        timer.disarm()
        timer.arm(at: BootTime(boot: time.bootTime().boot, milliseconds: .max))
        timer.arm(at: time.bootTime())
        await next()
    }

    @Test func `an ended timer takes no more moments`() {
        timer.cancel()
        timer.arm(at: time.bootTime())
        timer.disarm()
    }

    @Test func `a wait ends after its time and not before`() async throws {
        let start = ContinuousClock.now
        try await wait(for: .milliseconds(10), on: queue)
        #expect(ContinuousClock.now - start >= .milliseconds(10))
        try await wait(for: .seconds(-1), on: queue)
    }

    @Test func `a wait ends at once when its task is cancelled, before or after it began`() async {
        let waiting = Task { [queue] in try await wait(for: .seconds(Int64.max), on: queue) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let begun = AsyncStream<Void>.makeStream()
        let second = Task { [queue] in
            begun.continuation.yield()
            try await wait(for: .seconds(86_400), on: queue)
        }
        var iterator = begun.stream.makeAsyncIterator()
        await iterator.next()
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test func `the clocks agree with themselves`() throws {
        let first = time.bootTime()
        #expect(time.bootTime().elapsed(since: first) >= .zero)
        #expect(first.boot.count == 36)
        #expect(time.wallTime().milliseconds > 1_600_000_000_000)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_763_715_599_999, "2025-11-21T08:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func `a wall time is shown in UTC with milliseconds`(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).description == text)
    }
}
