import Daemon
import Declarations
import Host
import Store

/// A cache whose requests can be made to fail.
final class ScriptedStore: DaemonStore {
    struct State: Sendable {
        /// Thrown by the next calls, in turn.
        var takeFailures: ArraySlice<StoreError> = []
        var finishFailures: ArraySlice<StoreError> = []
        var takes: [Bool] = []
        var finished: [TakenRequests] = []
        /// Every look for the writes of others, and what it saw.
        var looks: [WriteQuestion] = []
        var signs: [WriteSign] = []
        var lookFailures: ArraySlice<StoreError> = []
        var rests = 0
    }

    let cache: CacheStore
    let state = Observed(State())

    init(_ cache: CacheStore) { self.cache = cache }

    func takeRequests(again: Bool) async throws(StoreError) -> TakenRequests? {
        if let failure = next({ $0.takeFailures.popFirst() }) { throw failure }
        let requests = try await cache.takeRequests(again: again)
        state.change { $0.takes.append(again) }
        return requests
    }

    func finish(_ requests: TakenRequests) async throws(StoreError) {
        if let failure = next({ $0.finishFailures.popFirst() }) { throw failure }
        try await cache.finish(requests)
        state.change { $0.finished.append(requests) }
    }

    func look(for question: WriteQuestion, now: BootTime) async throws(StoreError) -> WriteSign {
        state.change { $0.looks.append(question) }
        if let failure = next({ $0.lookFailures.popFirst() }) { throw failure }
        let sign = try await cache.look(for: question, now: now)
        state.change { $0.signs.append(sign) }
        return sign
    }

    func memory(of list: ListName) async throws(StoreError) -> SyncMemory {
        try await cache.memory(of: list)
    }

    func rest() async {
        await cache.rest()
        state.change { $0.rests += 1 }
    }

    func standing() async throws(StoreError) -> Standing { try await cache.standing() }

    private func next(_ take: (inout State) -> StoreError?) -> StoreError? {
        var failure: StoreError?
        state.change { failure = take(&$0) }
        return failure
    }
}
