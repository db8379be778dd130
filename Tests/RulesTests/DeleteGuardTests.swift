import Host
import Rules
import Testing

@Suite struct DeleteGuardTests {
    /// Deletes that were queued at `seconds`, one after another, in a list of `rows`.
    private func held(
        _ seconds: [Int64], of rows: Int64, done: [Int64: Int64] = [:], underWay: Set<Int64> = []
    ) -> [Int64] {
        let deletes = seconds.enumerated().map { index, second in
            let sequence = Int64(index) + 1
            return RecentDeletes.Delete(
                sequence: OperationSequence(rawValue: sequence),
                queuedAt: WallTime(milliseconds: second * 1000),
                progress: done[sequence].map { .done(rowsBefore: $0) }
                    ?? (underWay.contains(sequence) ? .underWay : .waiting))
        }
        return DeleteGuard.held(RecentDeletes(deletes: deletes, rows: rows)).map(
            \.sequence.rawValue)
    }

    private func at(_ second: Int64, times count: Int) -> [Int64] {
        Array(repeating: second, count: count)
    }

    @Test(
        arguments: [
            (9, 9, false), (9, 10, false), (10, 10, true), (10, 11, false), (50, 99, false),
            (99, 99, true), (50, 100, false), (51, 100, true), (51, 101, true), (51, 102, false),
            (500, 500, true), (0, 0, false), (0, 500, false),
        ] as [(Int64, Int64, Bool)])
    func `P37: every row of ten or more, or more than half of a hundred or more, is held`(
        count: Int64, rows: Int64, isHeld: Bool
    ) {
        #expect(DeleteGuard.isMass(count, of: rows) == isHeld)
        #expect(
            held(at(7, times: Int(count)), of: rows)
                == (isHeld && count > 0 ? Array(1...count) : []))
    }

    @Test func `deletes within a minute belong together, and others do not`() {
        #expect(held(at(0, times: 30) + at(60, times: 30), of: 100) == Array(1...60))
        #expect(held(at(0, times: 30) + at(61, times: 30), of: 100) == [])
        // One at each two seconds: no minute has more than 31 of them.
        #expect(held((0..<60).map { $0 * 2 }, of: 100) == [])
    }

    @Test func `the rows are those that were left before them`() {
        // Half of the list went an hour before, and then all that was left.
        #expect(held(at(0, times: 15) + at(3600, times: 15), of: 30) == Array(16...30))
    }

    @Test func `all deletes of a run belong together, if any minute of it is too much`() {
        let run = (0..<120).map { Int64($0) }
        // Of 120 rows in two minutes, each minute has 61.
        #expect(held(run, of: 120) == Array(1...120))
    }

    @Test func `deletes that were sent count, and are held no more`() {
        #expect(held(at(0, times: 60), of: 100, underWay: [1, 2, 3]) == Array(4...60))
        // Three are done: the list had a hundred rows, and has 97.
        #expect(held(at(0, times: 51), of: 97, done: [1: 100, 2: 99, 3: 98]) == Array(4...51))
        #expect(held(at(0, times: 50), of: 97, done: [1: 100, 2: 99, 3: 98]) == [])
    }

    @Test func `rows that come and go a few at a time are not held, however many they are`() {
        // 200 were deleted in this minute, and the list never had more than 21.
        let done = Dictionary(uniqueKeysWithValues: (1...200).map { (Int64($0), Int64(21)) })
        #expect(held(at(0, times: 201), of: 21, done: done) == [])
    }

    @Test func `a clock that was set back between two deletes tells nothing apart`() {
        #expect(held(at(7200, times: 30) + at(0, times: 30), of: 100) == Array(1...60))
    }
}
