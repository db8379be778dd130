import Declarations
import Host
import Rules
import Testing

private let answered = BootTime(boot: "boot", milliseconds: 1_000_000)
private let minute = Duration.seconds(60)

/// The columns of a create whose row an answer or a list shows.
@Suite struct NewRowTrailTests: TrailChecks {
    private static let before: [String?] = [nil, ""]

    private func bind(
        _ shown: String?, sent: String? = "b", waiting: String? = nil, byList: Bool,
        isShown: Bool = true
    ) -> EditOutcome {
        var field = EditedField(
            name: "title", base: FieldValue(nil), sent: sent.map { FieldValue($0) },
            waiting: waiting.map { FieldValue($0) }, shown: FieldValue(shown))
        field.empty = [FieldValue("")]
        field.isShown = isShown
        return UpdateResolution().bind(
            EditedRow(fields: [field]), at: answered, byList: byList)
    }

    /// A list has seen what an answer only claims.
    private func shown(_ trail: FieldTrail, byList: Bool) -> FieldTrail {
        byList ? witnessed(trail) : trail
    }

    @Test(arguments: [false, true], [nil, "w"] as [String?])
    func `what a new row shows as it was sent is its base`(byList: Bool, waiting: String?) {
        #expect(
            bind("b", waiting: waiting, byList: byList)
                == outcome(
                    waiting == nil ? .taken : .overlaid,
                    remembering: shown(
                        trail("b", own: "b", older: Self.before, isShown: true), byList: byList)))
    }

    @Test(arguments: [false, true], [nil, "w"] as [String?])
    func `what a new row shows as null, empty or not at all is acknowledged`(
        byList: Bool, waiting: String?
    ) {
        let acknowledged = outcome(
            .acknowledged, remembering: trail("b", own: "b", older: Self.before))
        for shown in Self.before {
            #expect(bind(shown, waiting: waiting, byList: byList) == acknowledged)
        }
        #expect(
            bind(nil, waiting: waiting, byList: byList, isShown: false) == acknowledged)
        #expect(
            bind("b", waiting: waiting, byList: byList, isShown: false) == acknowledged)
    }

    @Test(arguments: ["B!", "b!", "x"])
    func `another value is the server's form in an answer, and may be another's in a list`(
        shown: String
    ) {
        #expect(
            bind(shown, byList: false)
                == outcome(
                    .taken,
                    remembering: trail("b", own: shown, older: Self.before + ["b"], isShown: true)))
        #expect(
            bind(shown, byList: true)
                == outcome(
                    .taken,
                    remembering: trail("b", own: nil, older: Self.before + ["b"], isShown: true)))
    }

    /// Its last request was refused, because an earlier one had made the row, before it was edited.
    @Test(arguments: [(nil, true), ("w", false)] as [(String?, Bool)])
    func `another value in the row of a create that was refused is told`(
        waiting: String?, isTold: Bool
    ) {
        let field = EditedField(
            name: "title", base: FieldValue(nil), sent: FieldValue("b"),
            waiting: waiting.map { FieldValue($0) }, shown: FieldValue("x"))
        func told(mayBeEarlier: Bool) -> [EditConflict] {
            UpdateResolution(.mine).bind(
                EditedRow(fields: [field]), at: answered, byList: true, mayBeEarlier: mayBeEarlier
            ).conflicts.filter { $0.reason == .notTaken }
        }
        #expect(
            told(mayBeEarlier: true) == (isTold ? [EditConflict("title", .notTaken, .sent)] : []))
        #expect(told(mayBeEarlier: false) == [])
    }

    @Test(arguments: [false, true]) func `what folds to what was sent is its form`(byList: Bool) {
        #expect(
            bind(" B", byList: byList)
                == outcome(
                    .taken,
                    remembering: shown(
                        trail("b", own: " B", older: Self.before + ["b"], isShown: true),
                        byList: byList)))
    }

    @Test(arguments: [false, true], [nil, "", "x"] as [String?])
    func `a column that was not sent is what the server shows`(byList: Bool, shown: String?) {
        #expect(bind(shown, sent: nil, byList: byList) == outcome(.taken))
        #expect(bind(shown, sent: nil, waiting: "w", byList: byList) == outcome(.overlaid))
    }

    @Test(arguments: [nil, ""] as [String?])
    func `a column of a new row that stays empty for a minute was not taken`(shown: String?) {
        let known = bind(shown, byList: false).trails["title"]
        #expect(
            decide(shown, trail: known, age: .zero) == echo(remembering: known))
        #expect(
            decide(shown, trail: known, age: minute) == outcome(.taken, telling: notTaken))
    }
}
