import Declarations
import Host
import Rules
import Testing

private let answered = BootTime(boot: "boot", milliseconds: 1_000_000)
private let minute = Duration.seconds(60)
/// How long after the answer a list began that may lag behind it. One can have begun before it.
private let young: [Duration] = [.seconds(-5), .zero, .milliseconds(59_999)]
private let old: [Duration] = [.seconds(60), .seconds(3600)]

/// The law of acknowledgement: an answer is a claim, and a list that begins a minute later is a
/// witness.
@Suite struct FieldTrailTests: TrailChecks {
    @Test(arguments: young, [nil, "w"] as [String?])
    func `an echo within the minute changes nothing, and hinders no edit`(
        age: Duration, waiting: String?
    ) {
        for isShown in [false, true] {
            let known = trail("b", own: "b", older: ["a"], isShown: isShown)
            #expect(
                decide("a", waiting: waiting, trail: known, age: age)
                    == echo(remembering: known))
        }
    }

    @Test(arguments: old) func `the first witness that shows what was before says not taken`(
        age: Duration
    ) {
        let known = trail("b", own: "b", older: ["a"])
        #expect(decide("a", trail: known, age: age) == outcome(.taken, telling: notTaken))
        // A later edit of ours makes it needless to tell.
        #expect(decide("a", waiting: "w", trail: known, age: age) == outcome(.overlaid))
    }

    @Test(arguments: [nil, "w"] as [String?])
    func `what was sent is remembered for a minute after a list has shown it`(waiting: String?) {
        let field: FieldOutcome = waiting == nil ? .taken : .overlaid
        let sent = trail("b", own: "b", older: ["a"])
        let shown = trail("b", own: "b", older: ["a"], isShown: true)
        for known in [sent, shown] {
            for age in young {
                // A list that is older than the answer says nothing.
                let expected =
                    age < .zero
                    ? echo(remembering: known)
                    : outcome(field, remembering: witnessed(shown, age: age))
                #expect(decide("b", waiting: waiting, trail: known, age: age) == expected)
            }
            for age in old {
                #expect(
                    decide("b", waiting: waiting, trail: known, age: age) == outcome(field))
            }
        }
    }

    @Test(arguments: ["B!", "B", nil] as [String?])
    func `a form in an answer is taken, and is exact from then on`(form: String?) {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "title", base: FieldValue("a"), sent: FieldValue("b"),
                    shown: FieldValue(form))
            ], update: EditedRow.Update(state: .sending))
        let known = FieldTrail(
            sent: FieldValue("b"), own: FieldValue(form),
            older: [FieldValue("a"), FieldValue("b")], answeredAt: answered, isShown: true)
        var taken = outcome(.taken, remembering: known)
        taken.update = .ends
        #expect(UpdateResolution().acknowledge(row, at: answered) == taken)

        for age in young {
            #expect(
                decide(form, base: form, trail: known, age: age)
                    == (age < .zero
                        ? echo(remembering: known)
                        : outcome(.taken, remembering: witnessed(known, age: age))))
            #expect(
                decide("a", base: form, trail: known, age: age)
                    == echo(remembering: known))
            // It folds to the form, and was never shown. A list from before the answer tells nothing of that.
            let givenUp = FieldTrail(
                sent: FieldValue("b"), own: nil,
                older: [FieldValue("a"), FieldValue("b"), FieldValue(form)], answeredAt: answered,
                isShown: true)
            #expect(
                decide(" b!", base: form, waiting: "w", trail: known, age: age)
                    == (age < .zero
                        ? echo(remembering: known)
                        : outcome(.taken, remembering: givenUp, telling: edited)))
        }
        for age in old {
            #expect(decide(form, base: form, trail: known, age: age) == outcome(.taken))
            #expect(
                decide("a", base: form, trail: known, age: age)
                    == outcome(.taken, telling: notTaken))
        }
    }

    @Test func `what was sent is ours also after an answer has shown another form of it`() {
        let known = trail("b", own: "B!", older: ["a", "b"], isShown: true)
        #expect(
            decide("b", base: "B!", trail: known, age: .zero)
                == outcome(
                    .taken,
                    remembering: witnessed(trail("b", own: "b", older: ["a", "b", "B!"]))))
        #expect(decide("b", base: "B!", trail: known, age: minute) == outcome(.taken))
    }

    /// White space, normal forms and letters fold as long as no form of ours is known.
    @Test(
        arguments: [
            ("a", "b c", " b  c", true), ("a", "\u{E9}", "e\u{301}", true), ("a", "b", "B", true),
            ("a", "b", "b!", false), ("a", "1", "1.0", false), ("a", "", nil, false),
            ("b c", "b  c", " b c", false), ("B", "b", " b", false),
        ] as [(String?, String, String?, Bool)])
    func `a list may fold what no answer has shown, if nothing older folds to the same`(
        base: String?, sent: String, shown: String?, isOurs: Bool
    ) {
        let fresh = trail(sent, own: sent, older: [base])
        let taken = FieldTrail(
            sent: FieldValue(sent), own: isOurs ? FieldValue(shown) : nil,
            older: [FieldValue(base), FieldValue(sent)], answeredAt: answered, isShown: true)
        #expect(
            decide(shown, base: sent, trail: fresh, age: .zero)
                == outcome(.taken, remembering: isOurs ? witnessed(taken) : taken))
        // A waiting edit tells another's change from a form of ours.
        let conflicts = isOurs ? [] : [edited]
        #expect(
            decide(shown, base: sent, waiting: "w", trail: fresh, age: minute).conflicts
                == conflicts)
        let known = trail(sent, own: sent, older: [base], isShown: true)
        #expect(
            decide(shown, base: sent, waiting: "w", trail: known, age: minute).conflicts
                == [edited])
    }

    @Test(arguments: ["a", "b", "c"]) func `the older values of several edits are all echoes`(
        shown: String
    ) {
        let known = trail(from: "a", through: ["b", "c", "d"])
        #expect(known == trail("d", own: "d", older: ["a", "b", "c"]))
        #expect(
            decide(shown, base: "d", trail: known, age: .zero)
                == echo(remembering: known))
        #expect(
            decide(shown, base: "d", trail: known, age: minute)
                == outcome(.taken, telling: notTaken))
    }

    @Test func `from A to B and back to A, B is what was before`() {
        let known = trail(from: "a", through: ["b", "a"])
        #expect(known == trail("a", own: "a", older: ["a", "b"]))
        // Within the minute, A may be the first A, from before both edits. So B may still come.
        #expect(decide("a", base: "a", trail: known, age: .zero) == echo(remembering: known))
        #expect(decide("b", base: "a", trail: known, age: .zero) == echo(remembering: known))
        #expect(
            decide("b", base: "a", trail: known, age: minute)
                == outcome(.taken, telling: notTaken))
        #expect(decide("a", base: "a", trail: known, age: minute) == outcome(.taken))
        // An answer has shown it: a list that shows it, too, is no proof, and ends nothing.
        let shown = trail("a", own: "a", older: ["a", "b"], isShown: true)
        #expect(
            decide("a", base: "a", trail: shown, age: .zero)
                == outcome(.taken, remembering: shown))
    }

    /// Whoever has seen the server take a value knows that it did: what was before is somebody else's from then on.
    @Test(arguments: [nil, "w"] as [String?])
    func `what a list has shown as taken is never told as not taken`(waiting: String?) {
        let known = witnessed(trail("b", own: "b", older: ["a"]))
        #expect(decide("a", waiting: waiting, trail: known, age: .zero) == echo(remembering: known))
        #expect(
            decide("a", waiting: waiting, trail: known, age: minute)
                == (waiting == nil ? outcome(.taken) : outcome(.taken, telling: edited)))
        // The first list began the memory anew; a second one does not.
        #expect(
            decide("b", trail: known, age: .seconds(30)) == outcome(.taken, remembering: known))
    }

    /// What a server that does not take a value has instead is nothing of ours once it has shown that it took it.
    @Test func `an edit in doubt is not sent again over what was before a value that was taken`() {
        let taken = witnessed(trail("b", own: "b", older: [nil, ""]))
        func decided(_ shown: String?) -> EditOutcome {
            let row = EditedRow(
                fields: [
                    EditedField(
                        name: "title", base: FieldValue("b"), sent: FieldValue("c"),
                        shown: FieldValue(shown), trail: taken)
                ], update: EditedRow.Update(state: .inDoubt, sentAt: answered))
            return UpdateResolution().decide(
                row, shownAfter: answered.advanced(by: minute), settlingTime: minute)
        }
        #expect(decided("b").fields["title"] == .waitsAgain)
        for shown in [nil, ""] {
            #expect(decided(shown).fields["title"] == .taken)
            #expect(decided(shown).conflicts == [EditConflict("title", .doubt, .sent)])
        }
    }

    @Test func `a form of ours is an older value of the next edit`() {
        let first = trail("b", own: "B!", older: ["a", "b"], isShown: true)
        #expect(
            FieldTrail(
                of: FieldValue("c"), after: first, before: [FieldValue("B!")], answeredAt: answered)
                == trail("c", own: "c", older: ["a", "b", "B!"]))
    }

    @Test(arguments: [Duration.zero, minute])
    func `a third value moves the base, and an edit that waits gives way`(age: Duration) {
        let known = trail("b", own: "b", older: ["a"])
        let rest =
            age == minute ? nil : trail("b", own: nil, older: ["a", "b"], isShown: true)
        func shown(_ waiting: String?, _ rule: ConflictRule = .theirs) -> EditOutcome {
            decide("x", waiting: waiting, trail: known, age: age, rule: rule)
        }
        #expect(shown(nil) == outcome(.taken, remembering: rest))
        #expect(shown("x") == outcome(.taken, remembering: rest))
        #expect(shown("w") == outcome(.taken, remembering: rest, telling: edited))
        #expect(shown("w", .mine) == outcome(.overlaid, remembering: rest, telling: overwritten))
    }

    @Test(arguments: ["a", "b"])
    func `after a third value our own ones are echoes for the minute, and then changes`(
        shown: String
    ) {
        let rest = trail("b", own: nil, older: ["a", "b"], isShown: true)
        #expect(
            decide(shown, base: "x", waiting: "w", trail: rest, age: .zero)
                == echo(remembering: rest))
        #expect(decide(shown, base: "x", trail: rest, age: minute) == outcome(.taken))
        #expect(
            decide(shown, base: "x", waiting: "w", trail: rest, age: minute)
                == outcome(.taken, telling: edited))
    }

    @Test(arguments: [OperationState.queued, .rejected])
    func `a delete that waits gives way to a third value, and to nothing of ours`(
        delete: OperationState
    ) {
        let known = trail("b", own: "b", older: ["a"])
        func decided(
            _ value: String, _ age: Duration, _ rule: ConflictRule = .theirs
        ) -> EditOutcome {
            decide(value, trail: known, age: age, rule: rule, delete: delete)
        }
        #expect(decided("a", .zero) == echo(remembering: known))
        #expect(decided("b", .zero) == outcome(.taken, remembering: witnessed(known)))
        #expect(decided("a", minute) == outcome(.taken, telling: notTaken))
        #expect(decided("b", minute) == outcome(.taken))
        #expect(decided("x", minute, .mine) == outcome(.taken))
        var dropped = outcome(.taken, telling: EditConflict("title", .delete, .none))
        dropped.dropsDelete = true
        #expect(decided("x", minute) == dropped)
    }

    /// A row whose first edit was acknowledged and not shown, and whose second one has been sent.
    private func sentAgain(shown: String, state: OperationState) -> EditedRow {
        EditedRow(
            fields: [
                EditedField(
                    name: "title", base: FieldValue("b"), sent: FieldValue("c"),
                    shown: FieldValue(shown), trail: trail("b", own: "b", older: ["a"]))
            ], update: EditedRow.Update(state: state, sentAt: answered))
    }

    @Test(arguments: ["a", "b"])
    func `an answer that shows an older value is no witness, and its edit is acknowledged`(
        shown: String
    ) {
        var expected = outcome(
            .acknowledged, remembering: trail("c", own: "c", older: ["a", "b"]))
        expected.update = .isAcknowledged
        #expect(
            UpdateResolution().acknowledge(
                sentAgain(shown: shown, state: .sending), at: answered) == expected)
    }

    @Test(
        arguments: [("a", .waitsAgain), ("b", .waitsAgain), ("c", .taken), ("x", .taken)]
            as [(String, FieldOutcome)])
    func `in doubt, any older value of ours says that the edit did not arrive`(
        shown: String, field: FieldOutcome
    ) {
        let decided = UpdateResolution().decide(
            sentAgain(shown: shown, state: .inDoubt), shownAfter: answered.advanced(by: minute),
            settlingTime: minute)
        #expect(decided.fields == ["title": field])
        #expect(
            decided.conflicts == (shown == "x" ? [EditConflict("title", .doubt, .sent)] : []))
        #expect(decided.update == .ends)
    }

    /// Refused in a success, taken back by the person, and at the server all the same.
    @Test func `a refused value that is there after it was taken back is told`() {
        var known = trail("b", own: nil, older: ["a"], isShown: true)
        known.isRefused = true
        let told = EditConflict("title", .notTaken, .known)
        #expect(
            decide("b", base: "a", trail: known, age: .zero)
                == outcome(.taken, remembering: known, telling: told))
        #expect(
            decide("b", base: "a", trail: known, age: minute) == outcome(.taken, telling: told))
        #expect(decide("b", base: "b", trail: known, age: minute) == outcome(.taken))
        #expect(
            decide("b", base: "a", waiting: "w", trail: known, age: minute) == outcome(.overlaid))
    }

    /// Nobody else has written: the value before the refused one was acknowledged, and not taken.
    @Test func `an older value beneath a refused one is no change of another`() {
        var known = trail("c", own: nil, older: ["a", "b"], isShown: true)
        known.isRefused = true
        #expect(
            decide("a", base: "b", waiting: "c", trail: known, age: minute) == outcome(.overlaid))
        #expect(
            decide("a", base: "b", trail: known, age: minute)
                == outcome(.taken, telling: EditConflict("title", .notTaken, .known)))
        #expect(decide("a", base: "a", trail: known, age: minute) == outcome(.taken))
    }

    @Test func `an answer ends nothing that is remembered of another column`() {
        let known = trail("b", own: "b", older: ["a"], isShown: true)
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "size", base: FieldValue("1"), sent: FieldValue("2"),
                    shown: FieldValue("2")),
                EditedField(
                    name: "title", base: FieldValue("b"), shown: FieldValue("b"), trail: known),
            ], update: EditedRow.Update(state: .sending))
        let later = answered.advanced(by: minute + minute)
        #expect(UpdateResolution().acknowledge(row, at: later).trails["title"] == known)
    }

    @Test func `of a field 32 values are remembered, the oldest ones go first`() {
        #expect(FieldTrail.valuesAtMost == 32)
        let known = trail(from: "base", through: (0..<40).map { "\($0)" })
        #expect(known == trail("39", own: "39", older: (7..<39).map { "\($0)" }))
        #expect(
            decide("form", base: "39", trail: known, age: .zero)
                == outcome(
                    .taken,
                    remembering: trail(
                        "39", own: nil, older: (8..<40).map { "\($0)" }, isShown: true)))
        // One that is forgotten is another's change.
        #expect(
            decide("6", base: "39", waiting: "w", trail: known, age: minute)
                == outcome(.taken, telling: edited))
    }

    @Test(
        arguments: [
            ("boot", 1_059_999, true), ("boot", 1_060_000, false), ("boot", 999_000, true),
            ("other", 59_999, true), ("other", 60_000, false),
        ] as [(String, Int64, Bool)])
    func `a list is a witness from a minute after the answer on, to the millisecond`(
        boot: String, began: Int64, isEcho: Bool
    ) {
        let began = BootTime(boot: boot, milliseconds: began)
        #expect(Witness.isEcho(began: began, answeredAt: answered) == isEcho)
    }

    @Test(
        arguments: [
            ("a b", " a  b ", true), ("\u{E9}", "e\u{301}", true), ("a", "A", true),
            ("a", "b", false), ("1", "1.0", false), (nil, "", false),
        ] as [(String?, String, Bool)])
    func `values are equal by their code points, and fold by what servers alter`(
        one: String?, other: String, folds: Bool
    ) {
        let (one, other) = (FieldValue(one), FieldValue(other))
        #expect(one != other)
        #expect(one.folds(to: other) == folds)
        #expect(other.folds(to: one) == folds)
        #expect(one == FieldValue(one.text))
        #expect(one.folds(to: one))
        #expect(Set([one, other, one]).count == 2)
    }
}
