import Host
import Rules
import Testing

private let wait = Postponement(
    until: BootTime(boot: "boot", milliseconds: 1), shown: WallTime(milliseconds: 1),
    askedUntil: nil, status: nil, error: "x")
private let doubt = SettlementOutcome.waits(.inDoubt, wait, isOver: false)
private let failures: [Settlement] = [
    .rejected(wait), .notApplied(wait), .doubtful(wait, isOver: false),
    .doubtful(wait, isOver: true), .stale(wait, version: "7"),
]

@Suite struct SettlementRulesTests {
    private func outcome(
        _ settlement: Settlement, undecided: Bool = false, unwanted: Bool = false,
        answer: AnsweredRow = .none
    ) -> SettlementOutcome {
        SettlementRules.outcome(
            of: SettlingFacts(isUndecided: undecided, isUnwanted: unwanted, answer: answer),
            settlement)
    }

    @Test func `an attempt settles as its answer says`() {
        #expect(outcome(.deleted) == .ended)
        #expect(outcome(.rejected(wait)) == .waits(.rejected, wait, isOver: false))
        #expect(outcome(.notApplied(wait)) == .waits(.queued, wait, isOver: false))
        #expect(outcome(.doubtful(wait, isOver: false)) == doubt)
        #expect(
            outcome(.doubtful(wait, isOver: true)) == .waits(.inDoubt, wait, isOver: true))
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
        var facts = SettlingFacts(isUndecided: false, isUnwanted: false)
        facts.isStaleAgain = true
        #expect(
            SettlementRules.outcome(of: facts, stale) == .waits(.rejected, wait, isOver: false))
    }

    @Test func `an update is learned from its answer, or taken for what was sent`() {
        let updated = Settlement.updated(body: [])
        #expect(outcome(updated) == .acknowledged)
        #expect(outcome(updated, undecided: true) == .acknowledged)
        var facts = SettlingFacts(isUndecided: false, isUnwanted: false)
        let row = EditedRow(fields: [
            EditedField(
                name: "title", base: FieldValue("a"), sent: FieldValue("b"), shown: FieldValue("b"))
        ])
        facts.edited = row
        #expect(
            SettlementRules.outcome(of: facts, updated)
                == .learned(UpdateResolution().acknowledge(row)))
    }

    @Test func `a create that nobody wants goes if it was certainly not applied`() {
        #expect(outcome(.rejected(wait), unwanted: true) == .withdrawn)
        #expect(outcome(.notApplied(wait), unwanted: true) == .withdrawn)
        #expect(outcome(.doubtful(wait, isOver: false), unwanted: true) == doubt)
    }

    @Test(arguments: [false, true], [false, true])
    func `the row of an answer is the create's, unless an older one can be meant`(
        undecided: Bool, unwanted: Bool
    ) {
        let created = Settlement.created(body: [], otherwise: wait)
        func outcome(_ answer: AnsweredRow) -> SettlementOutcome {
            self.outcome(created, undecided: undecided, unwanted: unwanted, answer: answer)
        }
        #expect(outcome(.none) == doubt)
        #expect(outcome(.free) == .adopted)
        #expect(outcome(.held(isSame: true)) == .adopted)
        let held: SettlementOutcome = undecided ? (unwanted ? doubt : .ended) : .adopted
        #expect(outcome(.held(isSame: false)) == held)
    }
}
