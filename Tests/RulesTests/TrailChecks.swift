import Declarations
import Host
import Rules

private let answered = BootTime(boot: "boot", milliseconds: 1_000_000)
private let minute = Duration.seconds(60)

/// What the tests of remembered values expect, of one column.
protocol TrailChecks {}

extension TrailChecks {
    var notTaken: EditConflict { EditConflict("title", .notTaken, .acknowledged) }
    var edited: EditConflict { EditConflict("title", .edited, .waiting) }
    var overwritten: EditConflict { EditConflict("title", .overwritten, .waiting) }

    /// The trail of a text, as it is on the disk.
    func trail(
        _ sent: String?, own: String?, older: [String?], isShown: Bool = false
    ) -> FieldTrail {
        FieldTrail(
            sent: FieldValue(sent), own: own.map { FieldValue($0) },
            older: older.map { FieldValue($0) }, answeredAt: answered, isShown: isShown)
    }

    /// The same, after a list has shown the value that began `age` after the answer.
    func witnessed(_ trail: FieldTrail, age: Duration = .zero) -> FieldTrail {
        var witnessed = FieldTrail(
            sent: trail.sent, own: trail.own, older: trail.older,
            answeredAt: trail.answeredAt.advanced(by: age), isShown: true)
        witnessed.isWitnessed = true
        return witnessed
    }

    /// The trail of edits that followed on each other, each acknowledged and not shown.
    func trail(from base: String?, through edits: [String?]) -> FieldTrail? {
        var newest: FieldTrail?
        var before = FieldValue(base)
        for edit in edits {
            newest = FieldTrail(
                of: FieldValue(edit), after: newest, before: [before], answeredAt: answered)
            before = FieldValue(edit)
        }
        return newest
    }

    /// What a list shows that began `age` after the answer; left out, `base` is what was sent.
    func decide(
        _ shown: String?, base: String? = "b", waiting: String? = nil, trail: FieldTrail?,
        age: Duration, rule: ConflictRule = .theirs, delete: OperationState? = nil
    ) -> EditOutcome {
        let row = EditedRow(
            fields: [
                EditedField(
                    name: "title", base: FieldValue(base), waiting: waiting.map { FieldValue($0) },
                    shown: FieldValue(shown), trail: trail)
            ], delete: delete)
        return UpdateResolution(rule).decide(
            row, shownAfter: answered.advanced(by: age), settlingTime: minute)
    }

    func outcome(
        _ field: FieldOutcome, remembering trail: FieldTrail? = nil,
        telling conflicts: EditConflict...
    ) -> EditOutcome {
        var outcome = EditOutcome()
        outcome.fields = ["title": field]
        outcome.trails = trail.map { ["title": $0] } ?? [:]
        outcome.conflicts = conflicts
        return outcome
    }

    /// What a list shows that lags behind an answer: nothing is learned, and it counts for no absence.
    func echo(remembering trail: FieldTrail?) -> EditOutcome {
        var echo = outcome(.frozen, remembering: trail)
        echo.isEcho = true
        return echo
    }
}
