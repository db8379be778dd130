import APIClient
import Testing

@Suite("Every call with every outcome over every network", .timeLimit(.minutes(2)))
struct ClientConformanceTests {
    @Test(arguments: Case.all)
    func `a call comes to the same over every network`(_ item: Case) async throws {
        var timeout: Duration = item.endsAtDeadline ? .seconds(1) : .seconds(30)
        var (rig, ending) = try await run(item, within: timeout)
        // What a busy machine could not send, or read, before the deadline is another case.
        while item.endsAtDeadline, item.network.isReal,
            rig.arrived.count < item.call.steps.count
        {
            timeout = timeout * 2
            (rig, ending) = try await run(item, within: timeout)
        }
        let expected = item.outcome.expected(of: item.call, at: rig)
        if let reason = item.knownIssue {
            withKnownIssue(reason) { #expect(ending == expected) }
        } else {
            #expect(ending == expected)
        }
        // Where the double was at its deadline, it may have given up what was not looked up yet.
        if !item.endsAtDeadline || item.network.isReal { expectArrivals(item, rig) }
    }

    /// How the call comes out, and what it was made with.
    private func run(_ item: Case, within timeout: Duration) async throws -> (Rig, Ending) {
        let rig = try Rig(
            item.network, item.call, item.outcome.happening(to: item.call), timeout: timeout,
            holds: item.outcome == .cancel)
        let task = Task { await rig.run(item.call) }
        if item.outcome == .cancel {
            await rig.waitForArrivals(item.call.steps.count)
            task.cancel()
        }
        return (rig, await task.value)
    }

    /// Each request came as it must be and once; only a GET that a kept-alive connection died under
    /// is repeated, once, by libcurl, which is in URLSession too.
    private func expectArrivals(_ item: Case, _ rig: Rig) {
        var expected = item.call.steps
        if item.network.isReal {
            if item.outcome == .down { expected = [] }
            if item.outcome == .lost, expected.count > 1 { expected.append(item.call.last) }
        }
        #expect(rig.arrived == expected.map { Arrival($0, over: item.network, to: rig.baseURL) })
        guard let requests = rig.handedOver else { return }
        #expect(requests == expected.map { $0.request(to: rig.baseURL, timeout: rig.timeout) })
    }
}
