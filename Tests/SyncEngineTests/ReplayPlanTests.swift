import Host
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// The laws of the plan, without any cleverness.
private struct NaivePlan {
    enum Place { case waiting, underWay, out, stuck }

    let permission: ReplayPlan.Permission
    var operations: [(operation: WaitingOperation, place: Place)] = []

    func maySend(_ operation: WaitingOperation) -> Bool {
        let waits = operation.wait.map { $0.milliseconds > permission.now.milliseconds } ?? false
        let asked =
            operation.askedUntil.map { $0.milliseconds > permission.now.milliseconds } ?? false
        if waits, !permission.ignoresBackoff || asked { return false }
        switch operation.state {
        case .queued: return operation.kind == .create || permission.listedAt != nil
        case .inDoubt:
            return operation.kind == .create && permission.repeatsUnderKey
                && permission.listedAt != nil
        case .sending, .acknowledged, .rejected: return false
        }
    }

    mutating func next(_ count: Int) -> [OperationSequence] {
        let free = operations.indices.filter { index in
            guard operations[index].place == .waiting, maySend(operations[index].operation) else {
                return false
            }
            let title = FoldedValue(operations[index].operation.turn)
            return operations[..<index].allSatisfy {
                FoldedValue($0.operation.turn) != title || $0.place == .out
                    || $0.operation.hasServerID && operations[index].operation.hasServerID
            }
        }
        let sorted = free.sorted {
            let (left, right) = (operations[$0].operation, operations[$1].operation)
            guard left.kind == right.kind else { return left.kind == .delete }
            return (left.attempts, left.sequence) < (right.attempts, right.sequence)
        }
        for index in sorted.prefix(count) { operations[index].place = .underWay }
        return sorted.prefix(count).map { operations[$0].operation.sequence }
    }

    mutating func finish(_ sequence: OperationSequence, as settled: Settled) {
        guard let index = operations.firstIndex(where: { $0.operation.sequence == sequence })
        else { return }
        switch settled {
        case .done, .withdrawn, .rejected: operations[index].place = .out
        case .queued, .behind, .inDoubt, .acknowledged: operations[index].place = .stuck
        }
    }
}

@Suite struct ReplayPlanTests {
    private static let now = BootTime(boot: "b", milliseconds: 1_000_000)

    private static func permission(
        hasList: Bool = true, ignoresBackoff: Bool = false, repeatsUnderKey: Bool = false
    ) -> ReplayPlan.Permission {
        ReplayPlan.Permission(
            now: now, listedAt: hasList ? now : nil, ignoresBackoff: ignoresBackoff,
            repeatsUnderKey: repeatsUnderKey)
    }

    private static func operation(
        _ sequence: Int64, _ title: String = "milk", kind: OperationKind = .create,
        state: OperationState = .queued, attempts: Int = 0, wait: BootTime? = nil,
        askedUntil: BootTime? = nil, firstSentAt: BootTime? = nil
    ) -> WaitingOperation {
        WaitingOperation(
            sequence: OperationSequence(rawValue: sequence), kind: kind, state: state,
            attempts: attempts, turn: title, wait: wait, askedUntil: askedUntil,
            sentAt: firstSentAt, firstSentAt: firstSentAt)
    }

    @Test func `each value of a turn is compared as servers alter it`() {
        var plan = ReplayPlan(Self.permission())
        for (sequence, turn) in [
            (1, "buy\u{1F} milk "), (2, "buy\u{1F}milk"), (3, "bu\u{1F}ymilk"),
            (4, "buy \u{1F}\u{7}milk"),
        ] { plan.add(Self.operation(Int64(sequence), turn)) }
        #expect(plan.next(4, at: Self.now).map(\.rawValue) == [1, 3])
    }

    private static func randomOperation(_ index: Int, _ random: SeededRandom) -> WaitingOperation {
        let states: [OperationState] = [.queued, .queued, .queued, .inDoubt, .sending]
        let state = states[random.index(states.count)]
        let waits = random.happens(30)
        var operation = operation(
            Int64(index),
            ["milk", " milk", "tea", "te\u{7}a", "a", "b", "c", "d"][random.index(8)],
            kind: random.happens(60) ? .create : .delete, state: state,
            attempts: random.index(3),
            wait: waits
                ? BootTime(boot: "b", milliseconds: 1_000_000 + random.number(upTo: 2) - 1) : nil,
            askedUntil: waits && random.happens(50)
                ? BootTime(boot: "b", milliseconds: 1_000_000 + random.number(upTo: 2) - 1) : nil,
            firstSentAt: state == .queued ? nil : BootTime(boot: "b", milliseconds: 999_000))
        operation.hasServerID = operation.kind == .delete && random.happens(70)
        return operation
    }

    @Test(arguments: 1...400)
    func `the plan is the naive one`(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        let permission = Self.permission(
            hasList: random.happens(70), ignoresBackoff: random.happens(50),
            repeatsUnderKey: random.happens(50))
        var plan = ReplayPlan(permission)
        var naive = NaivePlan(permission: permission)
        for index in 0..<random.index(25) {
            let operation = Self.randomOperation(index, random)
            plan.add(operation)
            naive.operations.append((operation, .waiting))
        }
        var underWay: [OperationSequence] = []
        for _ in 0..<60 {
            let count = random.index(4)
            let picked = plan.next(count, at: Self.now)
            #expect(picked == naive.next(count))
            underWay += picked
            guard !underWay.isEmpty, random.happens(80) else { continue }
            let ended = underWay.remove(at: random.index(underWay.count))
            let ends: [Settled] = [.done, .done, .rejected, .withdrawn, .queued, .inDoubt]
            let settled = ends[random.index(ends.count)]
            plan.finish(ended, as: settled)
            naive.finish(ended, as: settled)
        }
        if underWay.isEmpty {
            let rest = naive.next(100)
            let isEmpty = plan.isEmpty
            #expect(isEmpty == rest.isEmpty)
            #expect(plan.next(100, at: Self.now) == rest)
        }
    }

    @Test(arguments: [OperationKind.delete, .update])
    func `nothing waits for a turn for a row that the list has not shown`(kind: OperationKind) {
        var plan = ReplayPlan(Self.permission())
        var operation = Self.operation(1, "gone", kind: kind)
        operation.isUnconfirmed = true
        plan.add(operation)
        let isEmpty = plan.isEmpty
        #expect(isEmpty)
        #expect(!plan.needsList)
        #expect(plan.blocked == [operation.sequence])
    }

    @Test func `one title goes one after another, others overlap`() {
        var plan = ReplayPlan(Self.permission())
        for (sequence, title) in [(1, "milk"), (2, "milk "), (3, "tea"), (4, "milk")] {
            plan.add(Self.operation(Int64(sequence), title))
        }
        #expect(plan.next(4, at: Self.now).map(\.rawValue) == [1, 3])
        #expect(plan.next(4, at: Self.now).isEmpty)
        plan.finish(OperationSequence(rawValue: 1), as: .done)
        #expect(plan.next(4, at: Self.now).map(\.rawValue) == [2])
        plan.finish(OperationSequence(rawValue: 2), as: .inDoubt)
        #expect(plan.next(4, at: Self.now).isEmpty)
        let isEmpty = plan.isEmpty
        #expect(isEmpty)
    }

    @Test func `the fewest attempts go first, then the older ones`() {
        var plan = ReplayPlan(Self.permission())
        for (sequence, attempts) in [(1, 3), (2, 0), (3, 1), (4, 0)] {
            plan.add(Self.operation(Int64(sequence), "todo \(sequence)", attempts: attempts))
        }
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [2, 4, 3])
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [1])
    }

    @Test func `deletes go first, as long as the list is at most five seconds old`() {
        func later(_ milliseconds: Int64) -> BootTime {
            BootTime(boot: "b", milliseconds: Self.now.milliseconds + milliseconds)
        }
        var plan = ReplayPlan(Self.permission())
        for sequence in 1...4 as ClosedRange<Int64> {
            plan.add(
                Self.operation(
                    sequence, "todo \(sequence)", kind: sequence > 1 ? .delete : .create))
        }
        #expect(plan.next(1, at: later(0)).map(\.rawValue) == [2])
        #expect(plan.next(1, at: later(5000)).map(\.rawValue) == [3])
        #expect(!plan.needsList)
        #expect(plan.next(2, at: later(5001)).map(\.rawValue) == [1])
        #expect(plan.needsList)
    }

    @Test func `what the server would have taken later goes again, before the next of its title`() {
        var plan = ReplayPlan(Self.permission())
        plan.add(Self.operation(1))
        plan.add(Self.operation(2))
        #expect(plan.next(2, at: Self.now).map(\.rawValue) == [1])
        plan.putBack(OperationSequence(rawValue: 1), kind: .create, attempts: 1)
        #expect(plan.next(2, at: Self.now).map(\.rawValue) == [1])
        plan.finish(OperationSequence(rawValue: 1), as: .done)
        #expect(plan.next(2, at: Self.now).map(\.rawValue) == [2])
    }

    @Test func `blocked is what waits behind another operation, or for a list`() {
        var plan = ReplayPlan(Self.permission(hasList: false))
        plan.add(Self.operation(1, state: .inDoubt, firstSentAt: Self.now))
        plan.add(Self.operation(2))
        plan.add(Self.operation(3, "tea"))
        plan.add(Self.operation(4, "tea"))
        plan.add(Self.operation(5, "bread", kind: .delete))
        #expect(plan.next(9, at: Self.now).map(\.rawValue) == [3])
        plan.finish(OperationSequence(rawValue: 3), as: .queued)
        #expect(plan.blocked.map(\.rawValue).sorted() == [1, 2, 4, 5])
        #expect(plan.needsList)
    }

    @Test func `what was refused behind older ones goes again when one of them has ended`() {
        var plan = ReplayPlan(Self.permission())
        for sequence in 1...3 as ClosedRange<Int64> {
            plan.add(Self.operation(sequence, "todo \(sequence)"))
        }
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [1, 2, 3])
        plan.finish(OperationSequence(rawValue: 2), as: .behind)
        plan.finish(OperationSequence(rawValue: 3), as: .done)
        #expect(plan.next(3, at: Self.now).isEmpty, "the older one is under way")
        plan.finish(OperationSequence(rawValue: 1), as: .done)
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [2])
        plan.finish(OperationSequence(rawValue: 2), as: .behind)
        let isEmpty = plan.isEmpty
        #expect(isEmpty, "nothing has changed since")
    }

    @Test func `values that are taken in a circle go in the order of the queue`() {
        var plan = ReplayPlan(Self.permission())
        for (sequence, base, own) in [(1, "x", "y"), (2, "y", "x")] {
            var operation = Self.operation(Int64(sequence), "\(sequence)", kind: .update)
            operation.hasServerID = true
            operation.links = ValueLinks(base: [base], own: [own])
            plan.add(operation)
        }
        #expect(plan.next(2, at: Self.now).map(\.rawValue) == [1])
        plan.finish(OperationSequence(rawValue: 1), as: .rejected)
        #expect(plan.next(2, at: Self.now).map(\.rawValue) == [2])
    }

    @Test(arguments: ["no list", "an old list", "a backoff", "an acceptance"])
    func `what waits for something else keeps nobody from a value that it would free`(
        obstacle: String
    ) {
        var plan = ReplayPlan(Self.permission(hasList: obstacle != "no list"))
        var delete = Self.operation(
            1, "old", kind: .delete,
            wait: obstacle == "a backoff" ? Self.now.advanced(by: .seconds(60)) : nil)
        delete.hasServerID = true
        delete.isHeld = obstacle == "an acceptance"
        delete.links = ValueLinks(base: ["x"], own: [nil])
        // One that would free another value, if it could take that of the first.
        var update = Self.operation(2, "older", kind: .update)
        (update.hasServerID, update.row) = (true, 2)
        update.links = ValueLinks(base: ["y"], own: ["x"])
        plan.add(delete)
        plan.add(update)
        for (sequence, own) in [(3, "x"), (4, "y")] {
            var create = Self.operation(Int64(sequence), "new \(own)")
            create.links = ValueLinks(base: [nil], own: [own])
            plan.add(create)
        }
        let now = obstacle == "an old list" ? Self.now.advanced(by: .seconds(6)) : Self.now
        let isUpdateFirst = obstacle == "a backoff" || obstacle == "an acceptance"
        #expect(
            plan.next(3, at: now).map(\.rawValue) == (isUpdateFirst ? [2, 3] : [3, 4]))
        #expect(plan.needsList != isUpdateFirst)
    }

    @Test func `one that would free a value behind the one that takes it is not waited for`() {
        var plan = ReplayPlan(Self.permission())
        var create = Self.operation(1)
        create.links = ValueLinks(base: [nil], own: ["milk"])
        plan.add(create)
        var delete = Self.operation(2, kind: .delete)
        (delete.hasServerID, delete.row) = (true, 2)
        delete.links = ValueLinks(base: ["milk"], own: [nil])
        plan.add(delete)
        plan.add(Self.operation(3, "tea"))
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [3])
        plan.finish(OperationSequence(rawValue: 3), as: .done)
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [1])
        plan.finish(OperationSequence(rawValue: 1), as: .done)
        #expect(plan.next(3, at: Self.now).map(\.rawValue) == [2])
    }

    @Test func `an operation that is not under way cannot end`() {
        var plan = ReplayPlan(Self.permission())
        plan.add(Self.operation(1))
        plan.add(Self.operation(2))
        plan.finish(OperationSequence(rawValue: 1), as: .done)
        #expect(plan.next(4, at: Self.now).map(\.rawValue) == [1])
    }

    /// What may be sent, by kind, state and permission.
    @Test(arguments: [
        (OperationKind.create, OperationState.queued, false, false, true),
        (.create, .queued, true, true, true),
        (.create, .inDoubt, true, false, false),
        (.create, .inDoubt, true, true, true),
        (.create, .inDoubt, false, true, false),
        (.create, .sending, true, true, false),
        (.create, .rejected, true, true, false),
        (.delete, .queued, false, true, false),
        (.delete, .queued, true, false, true),
        (.delete, .inDoubt, true, true, false),
        (.delete, .sending, true, true, false),
        (.delete, .rejected, true, true, false),
    ])
    func `the permission decides`(
        kind: OperationKind, state: OperationState, hasList: Bool, keys: Bool, isSent: Bool
    ) {
        var plan = ReplayPlan(Self.permission(hasList: hasList, repeatsUnderKey: keys))
        plan.add(
            Self.operation(
                1, kind: kind, state: state,
                firstSentAt: state == .queued ? nil : BootTime(boot: "b", milliseconds: 1)))
        #expect(plan.next(1, at: Self.now).count == (isSent ? 1 : 0))
    }

    @Test(arguments: [
        (0 as Int64, "b", false, false, true), (1, "b", false, false, false),
        (-1, "b", false, false, true), (1, "b", true, false, true), (1, "b", true, true, false),
        (1, "b", false, true, false), (99_999_999, "other", false, true, true),
    ])
    func `a wait holds to the millisecond, a person skips only our own, another boot ends it`(
        later: Int64, boot: String, isAsked: Bool, isServersWish: Bool, isSent: Bool
    ) {
        var plan = ReplayPlan(Self.permission(ignoresBackoff: isAsked))
        plan.add(
            Self.operation(
                1, wait: BootTime(boot: boot, milliseconds: 1_000_000 + later),
                askedUntil: isServersWish
                    ? BootTime(boot: boot, milliseconds: 1_000_000 + later) : nil))
        #expect(plan.next(1, at: Self.now).count == (isSent ? 1 : 0))
    }

    @Test(arguments: [
        (43_199_999 as Int64, "b", true), (43_200_000, "b", false), (0, "b", true),
        (1000, "other", false),
    ])
    func `a key is repeated for twelve hours of one boot`(age: Int64, boot: String, isSent: Bool) {
        let now = BootTime(boot: "b", milliseconds: 100_000_000)
        var plan = ReplayPlan(
            ReplayPlan.Permission(
                now: now, listedAt: now, ignoresBackoff: false, repeatsUnderKey: true))
        plan.add(
            Self.operation(
                1, state: .inDoubt,
                firstSentAt: BootTime(boot: boot, milliseconds: now.milliseconds - age)))
        #expect(plan.next(1, at: Self.now).count == (isSent ? 1 : 0))
    }

    @Test func `a moment of another boot is no wait`() {
        // Boot times of two boots cannot be compared: what was to be waited for is over.
        var plan = ReplayPlan(
            ReplayPlan.Permission(
                now: BootTime(boot: "new", milliseconds: 5), listedAt: nil, ignoresBackoff: false,
                repeatsUnderKey: false))
        plan.add(Self.operation(1, wait: BootTime(boot: "b", milliseconds: 10_000_000)))
        #expect(plan.next(1, at: Self.now).count == 1)
    }
}
