import Declarations
import Host
import Rules
import Testing

/// When the pull began, or the answer came.
private let now = BootTime(boot: "boot", milliseconds: 1_000_000)
private let minute = Duration.seconds(60)

private func before(_ duration: Duration) -> BootTime { now.advanced(by: .zero - duration) }

/// The trail of a text that followed on `older`.
private func trail(
    _ sent: String, own: String, older: [String?], answeredAt: BootTime = now, isShown: Bool
) -> FieldTrail {
    FieldTrail(
        sent: FieldValue(sent), own: FieldValue(own), older: older.map { FieldValue($0) },
        answeredAt: answeredAt, isShown: isShown)
}

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
            "\(shown.rawValue) \(rule.rawValue)\(isSent ? " sent" : "")"
                + "\(isWaiting ? " waiting" : "")\(isSettled ? " settled" : "")"
                + "\(delete.map { " delete \($0.rawValue)" } ?? "")"
        }

        private static let deletes: [OperationState?] = [
            nil, .queued, .rejected, .sending, .inDoubt, .acknowledged,
        ]

        /// Those that can be: what nobody sent cannot be shown.
        static let all: [Case] = {
            var cases: [Case] = []
            for shown in Shown.allCases {
                for rule in ConflictRule.allCases {
                    for delete in deletes {
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
            let sentAt = isSettled ? before(minute) : before(minute - .milliseconds(1))
            return EditedRow(
                fields: [
                    EditedField(
                        name: "title", base: FieldValue("base"),
                        sent: isSent ? FieldValue("sent") : nil,
                        waiting: isWaiting ? FieldValue("waiting") : nil,
                        shown: FieldValue(shown.rawValue))
                ], update: isSent ? EditedRow.Update(state: .inDoubt, sentAt: sentAt) : nil,
                delete: delete)
        }

        func decided() -> EditOutcome {
            UpdateResolution(rule).decide(row, shownAfter: now, settlingTime: minute)
        }
    }

    /// The laws in words, without the code's order: what is expected of a case.
    private func expected(_ it: Case) -> EditOutcome {
        var outcome = EditOutcome()
        // A delete that is on its way freezes the whole row, and so does one that was acknowledged.
        if let delete = it.delete, [.sending, .inDoubt, .acknowledged].contains(delete) {
            outcome.isFrozen = true
            return outcome
        }
        // What is on its way keeps its base, until a settled pull decides.
        if it.isSent, !it.isSettled {
            outcome.fields = ["title": .frozen]
            return outcome
        }
        outcome.update = it.isSent ? .ends : .stays
        // A delete gives way to another's change, which a program's own wish of that value is, too.
        let isOthers = it.shown == .other || it.shown == .waiting
        outcome.dropsDelete = isOthers && it.delete != nil && it.rule == .theirs
        if outcome.dropsDelete { outcome.conflicts = [EditConflict("title", .delete, .none)] }
        let (field, conflict) = fate(of: it)
        outcome.fields = ["title": field]
        if let conflict { outcome.conflicts.append(conflict) }
        // What turned out to be applied leaves a trail from that pull on.
        if it.shown == .sent {
            var seen = trail("sent", own: "sent", older: ["base"], isShown: true)
            seen.isWitnessed = true
            outcome.trails = ["title": seen]
        }
        return outcome
    }

    private func fate(of it: Case) -> (FieldOutcome, EditConflict?) {
        switch it.shown {
        case .sent: (it.isWaiting ? .overlaid : .taken, nil)
        case .base where it.isWaiting: (.overlaid, nil)
        case .base: (it.isSent ? .waitsAgain : .taken, nil)
        case .waiting: (.taken, nil)
        case .other where it.isWaiting && it.rule == .theirs:
            (.taken, EditConflict("title", .edited, .waiting))
        case .other where it.isWaiting:
            (.overlaid, EditConflict("title", .overwritten, .waiting))
        case .other where it.isSent: (.taken, EditConflict("title", .doubt, .sent))
        case .other: (.taken, nil)
        }
    }

    @Test(arguments: Case.all)
    func `each column is decided by what the server shows of it`(it: Case) {
        #expect(it.decided() == expected(it))
    }

    @Test(arguments: Case.all.filter { $0.isSent && $0.delete == nil })
    func `an answer is what the server made of what was sent, unless it is what was before`(
        it: Case
    ) {
        var expected = EditOutcome()
        if it.shown == .base {
            expected.fields = ["title": .acknowledged]
            expected.trails = ["title": trail("sent", own: "sent", older: ["base"], isShown: false)]
            expected.update = .isAcknowledged
        } else {
            let form = it.shown.rawValue
            let older = it.shown == .sent ? ["base"] : ["base", "sent"]
            expected.fields = ["title": it.isWaiting ? .overlaid : .taken]
            expected.trails = ["title": trail("sent", own: form, older: older, isShown: true)]
            expected.update = .ends
        }
        #expect(UpdateResolution(it.rule).acknowledge(it.row, at: now) == expected)
    }

    @Test(arguments: Case.all.filter { !$0.isSent && ($0.delete == nil || $0.delete == .queued) })
    func `what an answer shows beside what was sent is learned as from a pull`(it: Case) {
        var expected = it.decided()
        expected.update = .ends
        // A list that is older than the answer still shows how it was.
        if it.shown != .base {
            expected.trails["title"] = FieldTrail(
                sent: FieldValue(it.shown.rawValue), own: nil, older: [FieldValue("base")],
                answeredAt: now, isShown: true)
        }
        #expect(UpdateResolution(it.rule).acknowledge(it.row, at: now) == expected)
    }

    @Test func `what an answer leaves out is acknowledged if it was sent, and else stays`() {
        let remembered = trail(
            "b", own: "b", older: ["a"], answeredAt: before(minute), isShown: true)
        var sent = EditedField(
            name: "title", base: FieldValue("a"), sent: FieldValue("b"), shown: FieldValue(nil))
        var known = EditedField(
            name: "note", base: FieldValue("b"), waiting: FieldValue("c"), shown: FieldValue(nil),
            trail: remembered)
        var plain = EditedField(name: "due", base: FieldValue("b"), shown: FieldValue(nil))
        sent.isShown = false
        known.isShown = false
        plain.isShown = false
        let done = EditedField(
            name: "done", base: FieldValue("0"), sent: FieldValue("1"), shown: FieldValue("1"))

        var expected = EditOutcome()
        expected.fields = [
            "title": .acknowledged, "note": .frozen, "due": .frozen, "done": .taken,
        ]
        expected.trails = [
            "title": trail("b", own: "b", older: ["a"], isShown: false), "note": remembered,
            "done": trail("1", own: "1", older: ["0"], isShown: true),
        ]
        expected.update = .isAcknowledged
        let rules = UpdateResolution()
        #expect(
            rules.acknowledge(EditedRow(fields: [sent, known, plain, done]), at: now) == expected)

        // All that was sent is shown, so the update is done.
        expected.fields["title"] = nil
        expected.trails["title"] = nil
        expected.update = .ends
        #expect(rules.acknowledge(EditedRow(fields: [known, plain, done]), at: now) == expected)
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
            ], update: EditedRow.Update(state: .inDoubt, sentAt: before(minute)))
        var expected = EditOutcome()
        expected.fields = ["done": .taken, "due": .waitsAgain]
        var seen = trail("1", own: "1", older: ["0"], isShown: true)
        seen.isWitnessed = true
        expected.trails = ["done": seen]
        expected.update = .ends
        #expect(
            UpdateResolution().decide(row, shownAfter: now, settlingTime: minute) == expected)
    }

    /// How long ago it was sent, and how long that takes to settle.
    @Test(
        arguments: [
            (.inDoubt, 60_000, nil, true), (.inDoubt, 59_999, nil, false),
            (.inDoubt, nil, nil, true),
            (.inDoubt, 0, 0, true), (.inDoubt, 60_000, 60_001, false), (.sending, 60_000, 0, false),
            (.sending, nil, nil, false),
        ] as [(OperationState, Int64?, Int64?, Bool)])
    func `only what was in doubt for its settling time is decided`(
        state: OperationState, age: Int64?, settlingTime: Int64?, isDecided: Bool
    ) {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "x", base: FieldValue("base"), sent: FieldValue("sent"),
                    shown: FieldValue("other"))
            ],
            update: EditedRow.Update(
                state: state, sentAt: age.map { before(.milliseconds($0)) },
                settlingTime: settlingTime.map { .milliseconds($0) }))
        var expected = EditOutcome()
        expected.fields = ["x": isDecided ? .taken : .frozen]
        expected.conflicts = isDecided ? [EditConflict("x", .doubt, .sent)] : []
        expected.update = isDecided ? .ends : .stays
        #expect(
            UpdateResolution().decide(row, shownAfter: now, settlingTime: minute) == expected)
    }

    /// Trimmed, another normal form, small letters, and NULL for a value.
    @Test(
        arguments: [
            ("base", "a b", " a  b ", true), ("base", "\u{E9}", "e\u{301}", true),
            ("base", "a", "A", true), ("base", nil, nil, true), ("base", nil, "", false),
            ("base", "1", "1.0", false), ("a", "a ", " a", false), ("A", "b", "a", false),
        ] as [(String?, String?, String?, Bool)])
    func `a text is ours if it folds to what was sent, and what was before does not`(
        base: String?, sent: String?, shown: String?, isOurs: Bool
    ) {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "x", base: FieldValue(base), sent: FieldValue(sent),
                    shown: FieldValue(shown))
            ], update: EditedRow.Update(state: .inDoubt))
        let outcome = UpdateResolution().decide(row, shownAfter: now, settlingTime: minute)
        #expect(outcome.fields == ["x": .taken])
        #expect(outcome.conflicts == (isOurs ? [] : [EditConflict("x", .doubt, .sent)]))
        #expect(outcome.trails.keys.contains("x") == isOurs)
        #expect(outcome.trails["x"]?.own == (isOurs ? FieldValue(shown) : nil))
    }

    /// The list before may be younger than the read.
    @Test func `a read does not end the edit that goes by it, and a list does`() {
        var row = EditedRow(fields: [
            EditedField(
                name: "x", base: FieldValue("base"), waiting: FieldValue("mine"),
                shown: FieldValue("mine"))
        ])
        var expected = EditOutcome()
        expected.fields = ["x": .taken]
        #expect(UpdateResolution().decide(row, shownAfter: now, settlingTime: minute) == expected)
        row.goesByRead = true
        expected.fields = ["x": .frozen]
        #expect(UpdateResolution().decide(row, shownAfter: now, settlingTime: minute) == expected)
    }

    @Test(arguments: [("a b", "a  b"), ("A", "a"), ("\u{E9}", "e\u{301}")])
    func `what differs in spelling only is an edit, and another's change`(
        base: String, edit: String
    ) {
        let lost = EditedRow(
            fields: [
                EditedField(
                    name: "x", base: FieldValue(base), sent: FieldValue(edit),
                    shown: FieldValue(base))
            ], update: EditedRow.Update(state: .inDoubt))
        var expected = EditOutcome()
        expected.fields = ["x": .waitsAgain]
        expected.update = .ends
        #expect(
            UpdateResolution().decide(lost, shownAfter: now, settlingTime: minute) == expected)

        let met = EditedRow(fields: [
            EditedField(
                name: "x", base: FieldValue(base), waiting: FieldValue("mine"),
                shown: FieldValue(edit))
        ])
        expected.fields = ["x": .taken]
        expected.conflicts = [EditConflict("x", .edited, .waiting)]
        expected.update = .stays
        #expect(
            UpdateResolution().decide(met, shownAfter: now, settlingTime: minute) == expected)
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
        var expected = EditOutcome()
        expected.fields = ["x": .waitsAgain]
        expected.update = isRejected ? .isRejected : .ends
        #expect(
            UpdateResolution().decide(row, shownAfter: now, settlingTime: minute) == expected)
    }

    /// Whether each of two columns is shown as it was sent.
    @Test(
        arguments: [
            (true, true, .zero), (true, false, .zero), (false, true, .zero), (false, false, .zero),
            (false, true, minute), (false, false, minute),
        ] as [(Bool, Bool, Duration)])
    func `an acknowledged update ends when all that was sent was shown, or after a minute`(
        isFirst: Bool, isSecond: Bool, age: Duration
    ) {
        let remembered = trail("b", own: "b", older: ["a"], answeredAt: before(age), isShown: false)
        let fields = [("first", isFirst), ("second", isSecond)].map { name, isShown in
            EditedField(
                name: name, base: FieldValue("b"), shown: FieldValue(isShown ? "b" : "a"),
                trail: remembered)
        }
        let outcome = UpdateResolution().decide(
            EditedRow(fields: fields, update: EditedRow.Update(state: .acknowledged)),
            shownAfter: now, settlingTime: minute)
        let isOver = age == minute
        #expect(outcome.update == (isFirst && isSecond || isOver ? .ends : .stays))
        let notTaken = [("first", isFirst), ("second", isSecond)].filter { isOver && !$0.1 }
        #expect(
            outcome.conflicts == notTaken.map { EditConflict($0.0, .notTaken, .acknowledged) })
        #expect(outcome.trails.isEmpty == isOver)
    }
}
