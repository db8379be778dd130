import Host
import Rules
import Store
import SyncEngine
import Testing

@Suite struct ReplayOutlookTests {
    private static let now = BootTime(boot: "b", milliseconds: 1_000_000)

    private static func operation(
        _ sequence: Int64, _ title: String, kind: OperationKind = .create,
        state: OperationState = .queued, attempts: Int = 0, wait: Int64? = nil, asked: Int64? = nil
    ) -> WaitingOperation {
        WaitingOperation(
            sequence: OperationSequence(rawValue: sequence), kind: kind, state: state,
            attempts: attempts, turn: title,
            wait: wait.map { now.advanced(by: .milliseconds($0)) },
            askedUntil: asked.map { now.advanced(by: .milliseconds($0)) }, sentAt: nil,
            firstSentAt: nil)
    }

    private func outlook(
        _ operations: [WaitingOperation], hasList: Bool = true, ignoresBackoff: Bool = false
    ) -> [ReplayOutlook?] {
        let all = ReplayOutlook.all(
            of: operations,
            under: ReplayPlan.Permission(
                now: Self.now, listedAt: hasList ? Self.now : nil, ignoresBackoff: ignoresBackoff,
                repeatsUnderKey: false))
        #expect(all.count == operations.count)
        return operations.map { all[$0.sequence] }
    }

    private func sequence(_ number: Int64) -> OperationSequence {
        OperationSequence(rawValue: number)
    }

    @Test func `deletes go first, then the fewest attempts, and a title keeps its order`() {
        let operations = [
            Self.operation(1, "milk", attempts: 1), Self.operation(2, "bread"),
            Self.operation(3, " milk "), Self.operation(4, "eggs", kind: .delete),
        ]
        #expect(
            outlook(operations) == [
                .turn(3, after: nil), .turn(2, after: nil), .turn(4, after: sequence(1)),
                .turn(1, after: nil),
            ])
    }

    @Test func `what stays behind tells why`() {
        let operations = [
            Self.operation(1, "milk", state: .inDoubt), Self.operation(2, "milk"),
            Self.operation(3, "bread", state: .sending), Self.operation(4, "eggs", wait: 5),
            Self.operation(5, "salt", wait: 5, asked: 3), Self.operation(6, "eggs"),
        ]
        #expect(
            outlook(operations) == [
                .waits(.pulls), .waits(.operation(sequence(1))), .waits(.answer),
                .waits(.time(isAsked: false)), .waits(.time(isAsked: true)),
                .waits(.operation(sequence(4))),
            ])
    }

    @Test func `a person who asks skips our own backoff, and not the server's wait`() {
        let operations = [
            Self.operation(1, "milk", wait: 5), Self.operation(2, "salt", wait: 5, asked: 3),
        ]
        #expect(
            outlook(operations, ignoresBackoff: true) == [
                .turn(1, after: nil), .waits(.time(isAsked: true)),
            ])
    }

    @Test func `without a list a delete waits for one`() {
        #expect(
            outlook([Self.operation(1, "milk", kind: .delete)], hasList: false)
                == [.waits(.pulls)])
    }
}
