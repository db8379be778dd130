import Host
import Rules
import Testing

private let answered = BootTime(boot: "boot", milliseconds: 5)
private let wait = Postponement(
    until: BootTime(boot: "boot", milliseconds: 1), shown: WallTime(milliseconds: 1),
    askedUntil: nil, status: nil, error: "x")
private let doubt = SettlementOutcome.waits(.inDoubt, wait, isOver: false)
private let success = Settlement.accepted(Acceptance(at: answered))
private let failures: [Settlement] = [
    .rejected(wait), .notApplied(wait), .doubtful(wait, isOver: false),
    .doubtful(wait, isOver: true), .stale(wait, version: "7"), .refusedInRun(wait),
]
private let kinds: [OperationKind] = [.create, .update, .delete]
private let answers: [AnsweredRow] = [
    .none, .free, .merged, .reused(isConfirmed: false), .reused(isConfirmed: true),
]

@Suite struct SettlementRulesTests {
    private func facts(
        _ kind: OperationKind = .create, undecided: Bool = false, unwanted: Bool = false,
        answer: AnsweredRow = .none
    ) -> SettlingFacts {
        SettlingFacts(
            kind: kind, isUndecided: undecided, isUnwanted: unwanted, answer: answer)
    }

    private func outcome(
        _ settlement: Settlement, undecided: Bool = false, unwanted: Bool = false
    ) -> SettlementOutcome {
        SettlementRules.outcome(
            of: facts(undecided: undecided, unwanted: unwanted), settlement)
    }

    @Test func `an attempt that did not succeed settles as its answer says`() {
        #expect(outcome(.rejected(wait)) == .waits(.rejected, wait, isOver: false))
        #expect(outcome(.notApplied(wait)) == .waits(.queued, wait, isOver: false))
        #expect(outcome(.doubtful(wait, isOver: false)) == doubt)
        #expect(
            outcome(.doubtful(wait, isOver: true)) == .waits(.inDoubt, wait, isOver: true))
    }

    @Test func `a refusal counts only when nothing older waits`() {
        var facts = self.facts()
        facts.isBehind = true
        #expect(SettlementRules.outcome(of: facts, .rejected(wait)) == .waitsUncounted(wait))
        let refused = Settlement.accepted(Acceptance(at: answered, refusal: wait))
        #expect(
            SettlementRules.outcome(of: facts, refused) == .waits(.rejected, wait, isOver: false),
            "what the server may have done is never sent again")
    }

    @Test(arguments: 0...12)
    func `in a run of equal refusals, the tenth of an operation counts`(refusals: Int) {
        var facts = self.facts()
        facts.refusals = refusals
        #expect(
            SettlementRules.outcome(of: facts, .refusedInRun(wait))
                == (refusals < 9
                    ? .waitsUncounted(wait) : .waits(.rejected, wait, isOver: false)))
    }

    @Test(arguments: failures, [false, true])
    func `while an earlier attempt is undecided, what is no success leaves doubt`(
        settlement: Settlement, unwanted: Bool
    ) {
        #expect(outcome(settlement, undecided: true, unwanted: unwanted) == doubt)
    }

    @Test(arguments: ["7", nil]) func `what is stale twice under one version is rejected`(
        version: String?
    ) {
        let stale = Settlement.stale(wait, version: version)
        #expect(outcome(stale) == .waitsForVersion(otherThan: version, wait))
        var facts = self.facts()
        facts.isStaleAgain = true
        #expect(
            SettlementRules.outcome(of: facts, stale) == .waits(.rejected, wait, isOver: false))
    }

    @Test func `a create that nobody wants goes if it was certainly not applied`() {
        #expect(outcome(.rejected(wait), unwanted: true) == .withdrawn)
        #expect(outcome(.notApplied(wait), unwanted: true) == .withdrawn)
        #expect(outcome(.refusedInRun(wait), unwanted: true) == .withdrawn)
        #expect(outcome(.doubtful(wait, isOver: false), unwanted: true) == doubt)
    }

    @Test(arguments: kinds, answers)
    func `after a success nothing is sent again, whatever it holds`(
        kind: OperationKind, answer: AnsweredRow
    ) {
        for (undecided, unwanted) in [
            (false, false), (false, true), (true, false), (true, true),
        ] {
            let outcome = SettlementRules.outcome(
                of: facts(kind, undecided: undecided, unwanted: unwanted, answer: answer), success)
            switch outcome {
            case .ended, .adopted, .merged, .learned, .acknowledged: break
            case .withdrawn, .waits, .waitsUncounted, .waitsForVersion: Issue.record("\(outcome)")
            }
        }
    }

    @Test(arguments: [false, true]) func `a success does not tell whether a row was deleted`(
        undecided: Bool
    ) {
        let row = Settlement.accepted(Acceptance(body: Array(#"{"id": 1}"#.utf8), at: answered))
        for settlement in [success, row] {
            #expect(
                SettlementRules.outcome(of: facts(.delete, undecided: undecided), settlement)
                    == .acknowledged(at: answered))
        }
    }

    /// A row whose title was sent, as the answer shows it.
    private func edited(shown: String) -> EditedRow {
        EditedRow(fields: [
            EditedField(
                name: "title", base: FieldValue("a"), sent: FieldValue("b"),
                shown: FieldValue(shown))
        ])
    }

    /// What was sent is what the answer shows, or is yet to be shown.
    private func learned(before: [String?], isShown: Bool) -> EditOutcome {
        var outcome = EditOutcome()
        outcome.fields = ["title": isShown ? .taken : .acknowledged]
        outcome.trails = [
            "title": FieldTrail(
                sent: FieldValue("b"), own: FieldValue("b"),
                older: before.map { FieldValue($0) }, answeredAt: answered, isShown: isShown)
        ]
        return outcome
    }

    @Test(arguments: [false, true]) func `an update is learned from its answer`(undecided: Bool) {
        var facts = self.facts(.update, undecided: undecided)
        #expect(SettlementRules.outcome(of: facts, success) == .learned(EditOutcome()))

        facts.edited = edited(shown: "b")
        var expected = learned(before: ["a"], isShown: true)
        expected.update = .ends
        #expect(SettlementRules.outcome(of: facts, success) == .learned(expected))

        facts.edited = edited(shown: "a")
        expected = learned(before: ["a"], isShown: false)
        expected.update = .isAcknowledged
        #expect(SettlementRules.outcome(of: facts, success) == .learned(expected))
    }

    @Test func `the columns of a new row are learned from its answer`() {
        var facts = self.facts(answer: .free)
        facts.edited = edited(shown: "b")
        #expect(
            SettlementRules.outcome(of: facts, success)
                == .adopted(learned(before: [nil], isShown: true)))
    }

    @Test(arguments: [false, true], [false, true])
    func `the row of an answer is the create's, unless an older one can be meant`(
        undecided: Bool, unwanted: Bool
    ) {
        func outcome(_ answer: AnsweredRow) -> SettlementOutcome {
            SettlementRules.outcome(
                of: facts(undecided: undecided, unwanted: unwanted, answer: answer), success)
        }
        let adopted = SettlementOutcome.adopted(EditOutcome())
        #expect(outcome(.none) == .acknowledged(at: answered))
        #expect(outcome(.free) == adopted)
        #expect(outcome(.merged) == .merged)
        #expect(outcome(.reused(isConfirmed: false)) == adopted)
        let reused: SettlementOutcome =
            undecided ? (unwanted ? .acknowledged(at: answered) : .ended) : adopted
        #expect(outcome(.reused(isConfirmed: true)) == reused)
    }

    @Test(arguments: kinds, [200, 201, 202, 204])
    func `a refusal in a success is a refusal, unless the answer is a row`(
        kind: OperationKind, status: Int
    ) {
        let refused = Settlement.accepted(
            Acceptance(status: status, at: answered, refusal: wait))
        #expect(
            SettlementRules.outcome(of: facts(kind), refused)
                == .waits(.rejected, wait, isOver: false))
        #expect(SettlementRules.outcome(of: facts(kind, undecided: true), refused) == doubt)

        var row = facts(kind, answer: .free)
        row.isRow = true
        #expect(
            SettlementRules.outcome(of: row, refused) == SettlementRules.outcome(of: row, success))
    }

    @Test(arguments: [
        (200, true, false), (201, true, false), (202, false, true), (203, false, false),
        (204, false, false), (206, false, false),
    ])
    func `only 200 and 201 answer with what the server did`(
        status: Int, mayShowRow: Bool, isLater: Bool
    ) {
        let acceptance = Acceptance(status: status, at: answered)
        #expect(acceptance.mayShowRow == mayShowRow)
        #expect(acceptance.isLater == isLater)
    }
}
