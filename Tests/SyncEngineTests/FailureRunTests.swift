import Host
import Rules
import Store
import SyncEngine
import Testing

@Suite struct FailureRunTests {
    private static func wait(_ milliseconds: Int64, asked: Bool = false) -> Postponement {
        Postponement(
            until: BootTime(boot: "b", milliseconds: milliseconds),
            shown: WallTime(milliseconds: 0),
            askedUntil: asked ? BootTime(boot: "b", milliseconds: milliseconds) : nil, status: nil,
            error: "x")
    }

    @Test(arguments: 1...8)
    func `only as many failures in a row as may overlap pause`(limit: Int) {
        var run = FailureRun(limit: limit)
        for count in 1...limit {
            #expect(run.pause == nil)
            run.note(Self.wait(Int64(100 - count)))
        }
        #expect(run.pause?.until.milliseconds == Int64(100 - limit))
    }

    @Test func `an answer between them begins a new run`() {
        var run = FailureRun(limit: 2)
        run.note(Self.wait(5))
        run.note(nil)
        run.note(Self.wait(9))
        #expect(run.pause == nil)
        run.note(Self.wait(7, asked: true))
        #expect(run.pause == Self.wait(7, asked: true))
    }

    @Test func `a run that was long enough stays so, whatever was in flight beside it`() {
        var run = FailureRun(limit: 2)
        for wait in [5, 9] { run.note(Self.wait(Int64(wait))) }
        run.note(nil)
        #expect(run.pause == Self.wait(5))
        run.note(Self.wait(3))
        #expect(run.pause == Self.wait(3))
    }

    @Test(arguments: [0, -3])
    func `a limit below one counts as one`(limit: Int) {
        var run = FailureRun(limit: limit)
        #expect(run.pause == nil)
        run.note(Self.wait(1))
        #expect(run.pause != nil)
    }
}
