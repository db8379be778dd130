import Rules
import Testing

@Suite struct RefusalRunsTests {
    private typealias Runs = RefusalRuns<Int>

    private func note(
        _ runs: inout Runs, _ answers: ClosedRange<Int>, of kind: OperationKind = .update,
        refusal: Int? = 403
    ) -> [Int: Bool] {
        answers.reduce(into: [:]) { known, answer in
            for one in runs.note(answer, of: kind, refusal: refusal, isAccepted: refusal == nil) {
                known[one.answer] = one.isOfRun
            }
        }
    }

    @Test func `a run that is long enough closes its kind, and no other one`() {
        var runs = Runs()
        #expect(note(&runs, 1...9).isEmpty)
        #expect(note(&runs, 11...19, of: .create).isEmpty)
        #expect(runs.closed.isEmpty)
        let known = note(&runs, 10...10)
        #expect(Set(known.keys) == Set(1...10))
        #expect(known.values.allSatisfy { $0 })
        #expect(runs.closed == [.update: 403])
        // What was in flight beside the run.
        #expect(note(&runs, 21...21) == [21: true])
        #expect(note(&runs, 22...22, refusal: 404) == [22: false])
        let rest = runs.end()
        #expect(rest.map(\.answer) == Array(11...19))
        #expect(rest.allSatisfy { !$0.isOfRun })
    }

    @Test func `a success ends the runs of every kind`() {
        var runs = Runs()
        #expect(note(&runs, 1...9).isEmpty)
        let known = note(&runs, 30...30, of: .create, refusal: nil)
        #expect(Set(known.keys) == Set(Array(1...9) + [30]))
        #expect(known.values.allSatisfy { !$0 })
        #expect(note(&runs, 10...18).isEmpty)
        #expect(runs.closed.isEmpty)
    }

    @Test func `a refusal that is about its operation ends the run of its kind alone`() {
        var runs = Runs()
        #expect(note(&runs, 1...9).isEmpty)
        #expect(note(&runs, 11...19, of: .create).isEmpty)
        let known = runs.note(20, of: .update, refusal: nil, isAccepted: false, isRefused: true)
        #expect(known.map(\.answer) == Array(1...9) + [20])
        #expect(runs.end().count == 9)
    }

    @Test func `another status begins a new run`() {
        var runs = Runs()
        #expect(note(&runs, 1...9).isEmpty)
        #expect(note(&runs, 10...10, refusal: 405).count == 9)
        #expect(note(&runs, 11...18, refusal: 405).isEmpty)
        #expect(runs.closed.isEmpty)
        #expect(note(&runs, 19...19, refusal: 405).count == 10)
        #expect(runs.closed == [.update: 405])
    }
}
