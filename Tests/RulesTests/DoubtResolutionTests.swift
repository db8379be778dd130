import Host
import Rules
import TestSupport
import Testing

@Suite struct DoubtResolutionTests {
    private static let now = BootTime(boot: "b", milliseconds: 100_000)
    private static let titles = [
        "milk", " milk", "milk ", "Brot\u{308}", "Br\u{f6}t", "Bro\u{308}t", "tea",
    ]

    private static func resolution(
        isComplete: Bool = true, began: BootTime = now
    ) -> DoubtResolution {
        DoubtResolution(
            absence: Absence(
                pullBegan: began, isComplete: isComplete, confirmation: .seconds(60)),
            settlingTime: .seconds(20), adoption: Adoption(titleCut: nil))
    }

    /// Missed by a pull long enough ago.
    private static let missed = BootTime(boot: "b", milliseconds: 40_000)

    private static func create(
        _ sequence: Int64, _ title: String, state: OperationState = .inDoubt,
        sent: BootTime? = BootTime(boot: "b", milliseconds: 0), missedSince: BootTime? = missed,
        lastStatus: Int? = nil, refuted: Int = 0, answeredAt: BootTime? = nil
    ) -> OpenOperation {
        OpenOperation(
            sequence: OperationSequence(rawValue: sequence), kind: .create, state: state,
            row: sequence, values: [title], sentAt: sent,
            missedSince: missedSince, lastStatus: lastStatus, refuted: refuted,
            answeredAt: answeredAt)
    }

    private static func delete(
        _ sequence: Int64, _ title: String, state: OperationState = .inDoubt,
        sent: BootTime? = BootTime(boot: "b", milliseconds: 0), missedSince: BootTime? = nil,
        lastStatus: Int? = nil, refuted: Int = 0, isRowShown: Bool = true,
        answeredAt: BootTime? = nil
    ) -> OpenOperation {
        OpenOperation(
            sequence: OperationSequence(rawValue: sequence), kind: .delete, state: state,
            row: sequence, values: [title], sentAt: sent,
            missedSince: missedSince, lastStatus: lastStatus, refuted: refuted,
            isRowShown: isRowShown, answeredAt: answeredAt)
    }

    private static func rows(_ titles: [String]) -> [UnownedRow] {
        titles.enumerated().map { UnownedRow(serverID: "\($0.offset + 1)", values: [$0.element]) }
    }

    private static func decisions(
        _ resolution: DoubtResolution, _ operations: [OpenOperation], _ titles: [String]
    ) -> [DoubtResolution.Decision] {
        resolution.decide(operations, unowned: rows(titles)).map(\.1)
    }

    @Test func `what had come before a create was sent is not its effect`() {
        let rows = (1...2).map { UnownedRow(serverID: "\($0)", values: ["milk"], page: $0) }
        func decision(sent: Int64, pagesBefore: Int) -> DoubtResolution.Decision? {
            let resolution = DoubtResolution(
                absence: Absence(
                    pullBegan: Self.now, isComplete: true, confirmation: .seconds(60)),
                settlingTime: .seconds(20), adoption: Adoption(titleCut: nil),
                pagesBeforeCreates: pagesBefore)
            let create = Self.create(
                1, "milk", sent: BootTime(boot: "b", milliseconds: sent), missedSince: nil)
            return resolution.decide([create], unowned: rows).first?.1
        }
        #expect(decision(sent: 100_001, pagesBefore: 1) == .adopt(serverID: "2"))
        #expect(decision(sent: 100_001, pagesBefore: 2) == .wait)
        #expect(
            decision(sent: 99_000, pagesBefore: 2) == .adopt(serverID: "1"), "sent before the pull")
    }

    @Test(arguments: 1...300)
    func `creates and rows are matched as multisets, exact titles first`(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        func title() -> String { Self.titles[random.index(Self.titles.count)] }
        let operations = (0..<random.index(9)).map { index in
            random.happens(20)
                ? Self.delete(Int64(index), title()) : Self.create(Int64(index), title())
        }
        let rows = Self.rows((0..<random.index(9)).map { _ in title() })
        let isComplete = random.happens(70)
        let decided = Self.resolution(isComplete: isComplete).decide(operations, unowned: rows)
        #expect(decided.map(\.0) == operations)

        let adopted = decided.compactMap { operation, decision -> (OpenOperation, UnownedRow)? in
            guard case .adopt(let id) = decision else { return nil }
            guard let row = rows.first(where: { $0.serverID == id }) else {
                Issue.record("adopted a row that is not there")
                return nil
            }
            return (operation, row)
        }
        #expect(Set(adopted.map(\.1.serverID)).count == adopted.count, "a row adopted twice")
        for (operation, row) in adopted {
            #expect(operation.kind == .create)
            #expect(FoldedValue(operation.title) == FoldedValue(row.title))
        }
        let creates = operations.filter { $0.kind == .create }
        for folded in Set(creates.map { FoldedValue($0.title) }) {
            let wanting = creates.filter { FoldedValue($0.title) == folded }.count
            let there = rows.filter { FoldedValue($0.title) == folded }.count
            let taken = adopted.filter { FoldedValue($0.0.title) == folded }.count
            #expect(taken == min(wanting, there))
        }
        for bytes in Set(creates.map { Array($0.title.utf8) }) {
            let wanting = creates.filter { Array($0.title.utf8) == bytes }
            let there = rows.filter { Array($0.title.utf8) == bytes }
            let exact = adopted.filter {
                Array($0.0.title.utf8) == bytes && Array($0.1.title.utf8) == bytes
            }
            #expect(exact.count == min(wanting.count, there.count))
            // The first creates take the first rows.
            #expect(exact.map(\.0) == Array(wanting.prefix(exact.count)))
            #expect(exact.map(\.1) == Array(there.prefix(exact.count)))
        }
        for (operation, decision) in decided
        where !adopted.contains(where: { $0.0 == operation }) {
            // The row of a delete is there, whatever else the pull lacks.
            let isKnown = isComplete || operation.kind == .delete
            #expect(decision == (isKnown ? .requeue : .wait))
        }
    }

    @Test(arguments: [OperationState.acknowledged, .inDoubt])
    func `a read that finds no row ends a delete that the server has acknowledged, and no other`(
        state: OperationState
    ) {
        let answeredAt = BootTime(boot: "b", milliseconds: 40_000)
        func decision(isRowNotFound: Bool, began: Int64) -> DoubtResolution.Decision? {
            let delete = OpenOperation(
                sequence: OperationSequence(rawValue: 1), kind: .delete, state: state, row: 1,
                values: ["milk"], sentAt: BootTime(boot: "b", milliseconds: 39_000),
                isRowNotFound: isRowNotFound,
                answeredAt: state == .acknowledged ? answeredAt : nil)
            return Self.resolution(
                isComplete: false, began: BootTime(boot: "b", milliseconds: began)
            ).decide([delete], unowned: []).first?.1
        }
        #expect(
            decision(isRowNotFound: true, began: 100_000)
                == (state == .acknowledged ? .gone : .wait))
        #expect(decision(isRowNotFound: false, began: 100_000) == .wait)
        #expect(decision(isRowNotFound: true, began: 99_999) == .wait, "within a minute")
    }

    @Test func `an exact row is kept for a later create of that title`() {
        let decisions = Self.decisions(
            Self.resolution(), [Self.create(1, "milk "), Self.create(2, "milk")],
            ["milk", " milk"])
        #expect(decisions == [.adopt(serverID: "2"), .adopt(serverID: "1")])
    }

    @Test func `canonically equal titles are folded matches, not exact ones`() {
        let decisions = Self.decisions(
            Self.resolution(), [Self.create(1, "e\u{301}"), Self.create(2, "\u{e9}")],
            ["\u{e9}", "e\u{301}"])
        #expect(decisions == [.adopt(serverID: "2"), .adopt(serverID: "1")])
    }

    @Test(arguments: [
        (Int64(80_000), true), (80_001, false), (79_999, true), (100_000, false), (0, true),
    ])
    func `not found counts from the settling time after the intent on, to the millisecond`(
        sent: Int64, isDecided: Bool
    ) {
        let create = Self.create(1, "milk", sent: BootTime(boot: "b", milliseconds: sent))
        #expect(
            Self.decisions(Self.resolution(), [create], []) == [isDecided ? .requeue : .wait])
    }

    @Test(arguments: [(Int64(19_999), false), (20_000, true)])
    func `what was sent in another boot counts as sent when this one began`(
        uptime: Int64, isDecided: Bool
    ) {
        let began = BootTime(boot: "other", milliseconds: uptime)
        let create = Self.create(
            1, "milk", sent: BootTime(boot: "b", milliseconds: 99_999_999), missedSince: nil)
        #expect(
            Self.decisions(Self.resolution(began: began), [create], [])
                == [isDecided ? .miss : .wait])
    }

    @Test func `found counts at once, whatever the time and the pull`() {
        let create = Self.create(1, "milk", sent: Self.now)
        #expect(
            Self.decisions(Self.resolution(isComplete: false), [create], ["milk"])
                == [.adopt(serverID: "1")])
    }

    @Test func `a pull that is not whole decides no absence`() {
        #expect(
            Self.decisions(
                Self.resolution(isComplete: false),
                [Self.create(1, "milk"), Self.delete(2, "tea", isRowShown: false)],
                ["tea"]) == [.wait, .wait])
    }

    @Test func `a delete takes no row, and is still there`() {
        #expect(
            Self.decisions(
                Self.resolution(), [Self.delete(1, "milk"), Self.create(2, "milk")], ["milk"])
                == [.requeue, .adopt(serverID: "1")])
    }

    /// The law of absence, case by case.
    @Test(arguments: [
        (nil, DoubtResolution.Decision.miss, DoubtResolution.Decision.miss),
        (40_000 as Int64?, .requeue, .gone), (40_001, .wait, .wait), (100_000, .wait, .wait),
    ])
    func `absence counts when it is seen twice, a minute apart`(
        missed: Int64?, create: DoubtResolution.Decision, delete: DoubtResolution.Decision
    ) {
        let since = missed.map { BootTime(boot: "b", milliseconds: $0) }
        let operations =
            [Self.create(1, "milk", missedSince: since)]
            + [OperationState.inDoubt, .queued, .rejected].map {
                Self.delete(2, "tea", state: $0, missedSince: since, isRowShown: false)
            }
        #expect(
            Self.decisions(Self.resolution(), operations, []) == [create, delete, delete, delete])
    }

    @Test func `a row that is there again makes absence count anew`() {
        for state in [OperationState.queued, .rejected] {
            let delete = Self.delete(1, "tea", state: state, missedSince: Self.missed)
            #expect(Self.decisions(Self.resolution(), [delete], []) == [.shown])
        }
        let late = Self.delete(1, "tea", sent: Self.now, missedSince: Self.missed)
        #expect(Self.decisions(Self.resolution(), [late], []) == [.shown])
    }

    @Test(arguments: [
        (409 as Int?, 0, DoubtResolution.Decision.requeue), (409, 1, .reject), (404, 1, .reject),
        (302, 1, .reject), (408, 1, .requeue), (500, 1, .requeue), (nil, 1, .requeue),
    ])
    func `a refusal that a pull shows to have had no effect is believed at its second time`(
        status: Int?, refuted: Int, decision: DoubtResolution.Decision
    ) {
        let operations = [
            Self.create(1, "milk", lastStatus: status, refuted: refuted),
            Self.delete(2, "tea", lastStatus: status, refuted: refuted),
        ]
        #expect(Self.decisions(Self.resolution(), operations, []) == [decision, decision])
    }

    @Test func `an attempt that is over is decided by the next pull`() {
        let over = OpenOperation(
            sequence: OperationSequence(rawValue: 1), kind: .delete, row: 1,
            values: ["tea"], sentAt: Self.now, settlingTime: .zero, isRowShown: true)
        #expect(Self.decisions(Self.resolution(), [over], []) == [.requeue])
    }

    /// What was acknowledged, by when, and whether the list is whole.
    @Test(arguments: [
        (Int64(100_000), true, false), (40_001, true, false), (40_000, true, true), (0, true, true),
        (40_001, false, false), (40_000, false, true),
    ])
    func `what was acknowledged is decided by lists that began a minute later`(
        answered: Int64, isComplete: Bool, isWitness: Bool
    ) {
        let answeredAt = BootTime(boot: "b", milliseconds: answered)
        let operations = [
            Self.create(1, "milk", state: .acknowledged, answeredAt: answeredAt),
            Self.delete(2, "tea", state: .acknowledged, isRowShown: false, answeredAt: answeredAt),
            Self.delete(3, "tea", state: .acknowledged, answeredAt: answeredAt),
        ]
        let decides = isWitness && isComplete
        // A row that is there says so in a part of a list, too.
        #expect(
            Self.decisions(Self.resolution(isComplete: isComplete), operations, []) == [
                decides ? .notTaken : .wait, decides ? .gone : .wait, isWitness ? .notTaken : .wait,
            ])
    }

    @Test(arguments: [(Int64(59_999), false), (60_000, true)])
    func `what was acknowledged in another boot counts from when this one began`(
        uptime: Int64, isWitness: Bool
    ) {
        let began = BootTime(boot: "other", milliseconds: uptime)
        let delete = Self.delete(1, "tea", state: .acknowledged, answeredAt: Self.now)
        #expect(
            Self.decisions(Self.resolution(began: began), [delete], [])
                == [isWitness ? .notTaken : .wait])
    }

    @Test(arguments: [Int64(0), 40_000, 100_000], [false, true])
    func `an acknowledged create whose answer names no row is any list's that shows it`(
        answered: Int64, isComplete: Bool
    ) {
        let create = Self.create(
            1, "milk", state: .acknowledged, answeredAt: BootTime(boot: "b", milliseconds: answered)
        )
        #expect(
            Self.decisions(Self.resolution(isComplete: isComplete), [create], ["tea", " milk"])
                == [.adopt(serverID: "2")])
    }

    /// Neither the status nor the count of refusals matters after a success.
    @Test(arguments: [nil, 409, 500] as [Int?], [Int64(0), 100_000])
    func `what was acknowledged is never sent again`(status: Int?, answered: Int64) {
        let answeredAt = BootTime(boot: "b", milliseconds: answered)
        let operations = [
            Self.create(
                1, "milk", state: .acknowledged, lastStatus: status, refuted: 1,
                answeredAt: answeredAt),
            Self.delete(
                2, "tea", state: .acknowledged, missedSince: Self.missed, lastStatus: status,
                refuted: 1, answeredAt: answeredAt),
        ]
        let decision: DoubtResolution.Decision = answered == 0 ? .notTaken : .wait
        #expect(Self.decisions(Self.resolution(), operations, []) == [decision, decision])
    }

    @Test func `a create that was rejected is only the row that equals it exactly`() {
        let rejected = Self.create(1, "milk", state: .rejected)
        let resolution = Self.resolution()
        #expect(Self.decisions(resolution, [rejected], ["milk"]) == [.adopt(serverID: "1")])
        #expect(Self.decisions(resolution, [rejected], [" milk"]) == [.wait])
        #expect(Self.decisions(resolution, [rejected], []) == [.wait])
        let both = [rejected, Self.create(2, "milk")]
        #expect(Self.decisions(resolution, both, ["milk"]) == [.wait, .adopt(serverID: "1")])
        #expect(
            Self.decisions(resolution, both, ["milk", "milk"])
                == [.adopt(serverID: "2"), .adopt(serverID: "1")])
    }

    @Test(.timeLimit(.minutes(3))) func `a long list with much in doubt is matched in one pass`() {
        let creates = (0..<1000).map { Self.create(Int64($0), "todo \($0) ") }
        let titles = (0..<20_000).map { "todo \($0)" }
        let decisions = Self.decisions(Self.resolution(), creates, titles)
        #expect(decisions == (0..<1000).map { .adopt(serverID: "\($0 + 1)") })
    }
}

extension OpenOperation {
    /// Of a list whose rows have a title.
    fileprivate var title: String { values.first.flatMap { $0 } ?? "" }
}

extension UnownedRow {
    /// Of a list whose rows have a title.
    fileprivate var title: String { values.first.flatMap { $0 } ?? "" }
}
