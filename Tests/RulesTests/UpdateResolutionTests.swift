import Declarations
import Host
import Rules
import Testing

/// What becomes of one column: every case of what the server shows, what was sent and what waits.
@Suite struct UpdateResolutionTests {
    /// What the server shows: as it was, what was sent, what waits, or a value of somebody else.
    enum Shown: String, CaseIterable { case base, sent, waiting, other }

    struct Case: Hashable, CustomTestStringConvertible {
        var isSent = false
        var isWaiting = false
        var shown: Shown
        var rule: ConflictRule
        var isSettled = true
        var delete: OperationState?

        var testDescription: String {
            "\(shown.rawValue) \(rule.rawValue)\(isSent ? " sent" : "")\(isWaiting ? " waiting" : "")"
                + "\(isSettled ? " settled" : "")\(delete.map { " delete \($0.rawValue)" } ?? "")"
        }

        /// Those that can be: what nobody sent cannot be shown.
        static let all: [Case] = {
            var cases: [Case] = []
            for shown in Shown.allCases {
                for rule in ConflictRule.allCases {
                    for delete in [nil, .queued, .rejected, .sending, .inDoubt] as [OperationState?]
                    {
                        for bits in 0..<8 {
                            cases.append(
                                Case(
                                    isSent: bits & 1 != 0, isWaiting: bits & 2 != 0, shown: shown,
                                    rule: rule, isSettled: bits & 4 != 0, delete: delete))
                        }
                    }
                }
            }
            return cases.filter {
                ($0.shown != .sent || $0.isSent) && ($0.shown != .waiting || $0.isWaiting)
            }
        }()

        var row: EditedRow {
            EditedRow(
                fields: [
                    EditedField(
                        name: "title", base: FieldValue("base"),
                        sent: isSent ? FieldValue("sent") : nil,
                        waiting: isWaiting ? FieldValue("waiting") : nil,
                        shown: FieldValue(shown.rawValue))
                ], update: isSent ? EditedRow.Update(state: .inDoubt) : nil, delete: delete)
        }
    }

    /// The laws in words, without the code's order: what is expected of a case.
    private func expected(_ it: Case) -> (FieldOutcome?, [ConflictReason], dropsDelete: Bool) {
        // A delete that is on its way freezes the whole row.
        if it.delete == .sending || it.delete == .inDoubt { return (nil, [], false) }
        // What is on its way keeps its base, until a settled pull decides.
        if it.isSent, !it.isSettled { return (.frozen, [], false) }
        let isOthers = it.shown == .other || it.shown == .waiting
        // A delete gives way to another's change, which a program's own wish of that value is, too.
        let gives = isOthers && it.delete != nil && it.rule == .theirs
        let first: [ConflictReason] = gives ? [.delete] : []
        switch it.shown {
        case .sent: return (it.isWaiting ? .overlaid : .taken, [], false)
        case .base where it.isSent:
            return (it.isWaiting ? .overlaid : .waitsAgain, [], false)
        case .base: return (it.isWaiting ? .overlaid : .taken, [], false)
        case .waiting: return (.taken, first, gives)
        case .other where it.isWaiting:
            return it.rule == .theirs
                ? (.taken, first + [.edited], gives) : (.overlaid, [.overwritten], false)
        case .other where it.isSent: return (.taken, first + [.doubt], gives)
        case .other: return (.taken, first, gives)
        }
    }

    @Test(arguments: Case.all)
    func `each column is decided by what the server shows of it`(it: Case) {
        let outcome = UpdateResolution(it.rule).decide(it.row, isSettled: it.isSettled)
        let (field, conflicts, dropsDelete) = expected(it)
        #expect(outcome.fields["title"] == field)
        #expect(outcome.isFrozen == (field == nil))
        #expect(outcome.conflicts.map(\.reason) == conflicts)
        #expect(outcome.dropsDelete == dropsDelete)
        let isDecided = it.isSent && it.isSettled && field != nil
        #expect(outcome.update == (isDecided ? .ends : .stays))
    }

    @Test(arguments: Case.all.filter { $0.isSent && $0.delete == nil })
    func `an answer is what the server made of what was sent`(it: Case) {
        let outcome = UpdateResolution(it.rule).acknowledge(it.row)
        #expect(outcome.fields["title"] == (it.isWaiting ? .overlaid : .taken))
        #expect(outcome.conflicts.map(\.reason) == (it.shown == .base ? [.notTaken] : []))
        #expect(outcome.update == .ends)
    }

    @Test(arguments: Case.all.filter { !$0.isSent && ($0.delete == nil || $0.delete == .queued) })
    func `what an answer shows beside what was sent is learned as from a pull`(it: Case) {
        let rules = UpdateResolution(it.rule)
        let pulled = rules.decide(it.row, isSettled: true)
        let answered = rules.acknowledge(it.row)
        #expect(answered.fields == pulled.fields)
        #expect(answered.conflicts == pulled.conflicts)
        #expect(answered.dropsDelete == pulled.dropsDelete)
    }

    @Test func `each column is decided by itself`() {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "done", base: FieldValue("0"), sent: FieldValue("1"),
                    shown: FieldValue("1")),
                EditedField(
                    name: "due", base: FieldValue(nil), sent: FieldValue("today"),
                    shown: FieldValue(nil)),
            ], update: EditedRow.Update(state: .inDoubt))
        let outcome = UpdateResolution().decide(row, isSettled: true)
        #expect(outcome.fields == ["done": .taken, "due": .waitsAgain])
        #expect(outcome.update == .ends)
    }

    /// Trimmed, another normal form, and NULL for a value.
    @Test(
        arguments: [
            ("a b", " a  b ", true), ("\u{E9}", "e\u{301}", true), ("a", "A", false),
            (nil, nil, true), (nil, "", false), ("1", "1.0", false),
        ] as [(String?, String?, Bool)])
    func `equal is what servers make of a text`(sent: String?, shown: String?, isSame: Bool) {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "x", base: FieldValue("base"), sent: FieldValue(sent),
                    shown: FieldValue(shown))
            ], update: EditedRow.Update(state: .inDoubt))
        let outcome = UpdateResolution().decide(row, isSettled: true)
        #expect(outcome.conflicts.isEmpty == isSame)
    }

    @Test(arguments: [(nil, 0, false), (409, 0, false), (409, 1, true), (500, 1, false)])
    func `what is refused again and did not arrive is rejected`(
        status: Int?, refuted: Int, isRejected: Bool
    ) {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "x", base: FieldValue("base"), sent: FieldValue("sent"),
                    shown: FieldValue("base"))
            ],
            update: EditedRow.Update(state: .inDoubt, lastStatus: status, refuted: refuted))
        let outcome = UpdateResolution().decide(row, isSettled: true)
        #expect(outcome.update == (isRejected ? .isRejected : .ends))
        #expect(outcome.fields == ["x": .waitsAgain])
    }
}
