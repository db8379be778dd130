import Daemon
import Host
import Store
import Testing

/// When the daemon looks for the writes of others: the ladder, by enumeration.
@Suite struct WriteWatchTests {
    let start = BootTime(boot: "b", milliseconds: 1_000_000)
    var watch = WriteWatch()

    init() {
        // What the first look saw, the kernel may tell at the second.
        for _ in 1...2 {
            watch.askForWork()
            _ = watch.begin(at: start)
            _ = watch.take(Self.sign(version: 1, active: false), at: start)
        }
    }

    private static func sign(version: Int64, own: Int64 = 0, active: Bool?) -> WriteSign {
        WriteSign(
            mark: WriteMark(version: version, ownCommits: own), isWriterActive: active, work: nil)
    }

    private func after(_ milliseconds: Int64) -> BootTime {
        start.advanced(by: .milliseconds(milliseconds))
    }

    /// Lets time pass as the armed moments say, and answers each look; returns when, after the
    /// start, looks began, and which of them asked for the writer.
    private mutating func looks(
        until end: Int64 = 1_000_000, _ answer: (Int64, WriteQuestion) -> WriteSign
    ) -> (times: [Int64], asking: [Int64]) {
        var (now, times, asking): (BootTime, [Int64], [Int64]) = (start, [], [])
        while times.count < 1000 {
            if watch.mayBegin(at: now) {
                let time = now.milliseconds - start.milliseconds
                guard time < end else { break }
                let question = watch.begin(at: now)
                times.append(time)
                if question.asksForWriter { asking.append(time) }
                _ = watch.take(answer(time, question), at: now)
            } else if let next = watch.moments.min(by: { $0.milliseconds < $1.milliseconds }) {
                #expect(next.milliseconds > now.milliseconds, "nothing is armed for the past")
                now = next
            } else {
                break
            }
        }
        return (times, asking)
    }

    @Test func `without a touch nothing begins and nothing is armed`() {
        #expect(!watch.mayBegin(at: after(1_000_000)))
        #expect(watch.moments == [])
    }

    @Test(arguments: 0...11)
    mutating func `a commit is seen at the next rung, and the ladder ends with it`(rung: Int) {
        let rungs: [Int64] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
        watch.noteTouch(at: start)
        let visible = rungs[rung]
        let seen = looks { time, question in
            time < visible
                ? Self.sign(version: 1, active: question.asksForWriter ? true : nil)
                : Self.sign(version: 2, active: false)
        }
        #expect(seen.times == Array(rungs[...rung]))
        #expect(seen.asking == (rung == 11 ? [1024] : []))
    }

    @Test mutating func `a touch that comes to nothing costs one ladder, and asks at its end`() {
        watch.noteTouch(at: start)
        let seen = looks { _, question in
            Self.sign(version: 1, active: question.asksForWriter ? false : nil)
        }
        #expect(seen.times == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
        #expect(seen.asking == [1024])
    }

    @Test mutating func `a writer that takes long is looked at each second while it lasts`() {
        watch.noteTouch(at: start)
        let seen = looks { time, question in
            guard time < 3000 else { return Self.sign(version: 2, active: false) }
            return Self.sign(version: 1, active: question.asksForWriter ? true : nil)
        }
        #expect(seen.times.suffix(4) == [512, 1024, 2024, 3024])
        #expect(seen.asking == [1024, 2024, 3024])
    }

    @Test mutating func `a burst has one ladder, from its last touch`() {
        for time in Int64(0)..<50 {
            watch.noteTouch(at: after(time))
            #expect(watch.mayBegin(at: after(time)))
            _ = watch.begin(at: after(time))
            _ = watch.take(Self.sign(version: 1, active: nil), at: after(time))
            #expect(watch.moments == [after(time + 1)])
        }
        _ = watch.begin(at: after(50))
        _ = watch.take(Self.sign(version: 1, active: nil), at: after(50))
        #expect(watch.moments == [after(51)], "2 ms after the touch at 49")
    }

    @Test mutating func `touches during a look become one look after it`() {
        watch.noteTouch(at: start)
        _ = watch.begin(at: start)
        for time in Int64(1)...9 { watch.noteTouch(at: after(time)) }
        #expect(!watch.mayBegin(at: after(9)))
        _ = watch.take(Self.sign(version: 2, active: false), at: after(9))
        #expect(watch.mayBegin(at: after(9)))
        _ = watch.begin(at: after(9))
        _ = watch.take(Self.sign(version: 2, active: nil), at: after(9))
        #expect(watch.moments == [after(10)], "the look had begun before the last touches")
    }

    @Test mutating func `the next writer is waited for although the first one's commit is seen`() {
        watch.noteTouch(at: start)
        let seen = looks { time, _ in
            switch time {
            case ..<4: Self.sign(version: 1, active: nil)
            case ..<16: Self.sign(version: 2, active: true)
            default: Self.sign(version: 3, active: false)
            }
        }
        #expect(seen.times == [0, 1, 2, 4, 8, 16])
    }

    @Test mutating func `P24: own commits cost one look for each touch, and no timer`() {
        for own in Int64(1)...20 {
            watch.noteTouch(at: after(own))
            _ = watch.begin(at: after(own))
            // The store looks for a writer by itself where it has committed.
            _ = watch.take(Self.sign(version: 1, own: own, active: false), at: after(own))
            #expect(watch.moments == [] && !watch.mayBegin(at: after(own)))
        }
        // The kernel may tell of the last two commits apart, though one look saw both.
        watch.noteTouch(at: after(21))
        let question = watch.begin(at: after(21))
        #expect(question.asksForWriter)
        _ = watch.take(Self.sign(version: 1, own: 20, active: false), at: after(21))
        #expect(watch.moments == [] && !watch.mayBegin(at: after(21)))
        watch.noteTouch(at: after(22))
        #expect(!watch.begin(at: after(22)).asksForWriter, "that one is not ours")
    }

    @Test mutating func `a look that fails is repeated with its question, after a wait`() {
        watch.askForWork()
        #expect(watch.begin(at: start).asksForWork)
        watch.fail(at: start)
        #expect(watch.moments == [after(1000)] && !watch.mayBegin(at: after(999)))
        #expect(watch.begin(at: after(1000)).asksForWork)
    }
}
