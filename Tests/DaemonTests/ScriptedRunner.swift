import Daemon
import Declarations
import Host
import Store
import SyncEngine

/// Cycles as the test wants them, and the account of what was asked.
final class ScriptedRunner: CycleRunner {
    struct Call: Sendable, Hashable {
        var list: ListName
        var cause: CycleCause
    }

    struct State: Sendable {
        var began: [Call] = []
        var ended: [Call] = []
        var dues: [ListName: BootTime] = [:]
        /// The most calls that were ever under way for one list at once.
        var mostUnderWay = 0

        mutating func begin(_ call: Call) {
            began.append(call)
            let underWay =
                began.count { $0.list == call.list }
                - ended.count { $0.list == call.list }
            mostUnderWay = max(mostUnderWay, underWay)
        }
    }

    typealias Script = @Sendable (Call, Int) async throws(StoreError) -> CycleReport

    let lists: [ListName]
    let state = Observed(State())
    private let script: Script

    /// `script` gets each call and its number among the calls for its list, from 1.
    init(_ lists: [ListName] = ListName.both, script: @escaping Script) {
        self.lists = lists
        self.script = script
    }

    func cycle(
        _ list: ListName, because cause: CycleCause
    ) async throws(StoreError) -> CycleReport {
        let call = Call(list: list, cause: cause)
        state.change { $0.begin(call) }
        defer { state.change { $0.ended.append(call) } }
        return try await script(call, state.value.began.count { $0.list == list })
    }

    func due(_ list: ListName) async throws(StoreError) -> BootTime {
        state.value.dues[list] ?? BootTime(boot: "another", milliseconds: 0)
    }

    func began(_ count: Int) async -> [Call] {
        await state.wait { $0.began.count >= count }.began
    }

    func ended(_ count: Int) async -> [Call] {
        await state.wait { $0.ended.count >= count }.ended
    }
}

extension ListName {
    /// The lists that ship with syncd.
    static let both: [ListName] = [.movies, .todos]
}
