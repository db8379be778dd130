import Daemon
import Declarations
import Host
import Store
import SyncEngine

/// Cycles as the test wants them, and the account of what was asked.
final class ScriptedRunner: CycleRunner {
    struct Call: Sendable, Hashable {
        var resource: ResourceName
        var cause: CycleCause
    }

    struct State: Sendable {
        var began: [Call] = []
        var ended: [Call] = []
        var dues: [ResourceName: BootTime] = [:]
        /// The most calls that were ever under way for one resource at once.
        var mostUnderWay = 0

        mutating func begin(_ call: Call) {
            began.append(call)
            let underWay =
                began.count { $0.resource == call.resource }
                - ended.count { $0.resource == call.resource }
            mostUnderWay = max(mostUnderWay, underWay)
        }
    }

    typealias Script = @Sendable (Call, Int) async throws(StoreError) -> CycleReport

    let resources: [ResourceName]
    let state = Observed(State())
    private let script: Script

    /// `script` gets each call and its number among the calls for its resource, from 1.
    init(_ resources: [ResourceName] = ResourceName.both, script: @escaping Script) {
        self.resources = resources
        self.script = script
    }

    func cycle(
        _ resource: ResourceName, because cause: CycleCause
    ) async throws(StoreError) -> CycleReport {
        let call = Call(resource: resource, cause: cause)
        state.change { $0.begin(call) }
        defer { state.change { $0.ended.append(call) } }
        return try await script(call, state.value.began.count { $0.resource == resource })
    }

    func due(_ resource: ResourceName) async throws(StoreError) -> BootTime {
        state.value.dues[resource] ?? BootTime(boot: "another", milliseconds: 0)
    }

    func began(_ count: Int) async -> [Call] {
        await state.wait { $0.began.count >= count }.began
    }

    func ended(_ count: Int) async -> [Call] {
        await state.wait { $0.ended.count >= count }.ended
    }
}

extension ResourceName {
    /// The lists that ship with syncd.
    static let both: [ResourceName] = [.movies, .todos]
}
