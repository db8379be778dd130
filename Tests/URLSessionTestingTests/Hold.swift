import APIClient
import APIClientTesting
import Synchronization

/// A transport that never answers, tells when it is asked and when nobody waits any more.
final class Hold: Transport {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let never = MockGate()
    private let wasCancelled = MockGate()

    func onArrival(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    func cancelled() async { _ = await wasCancelled.pass() }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        action.withLock { $0 }?()
        _ = await never.pass()
        wasCancelled.open()
        throw .cancelled(mayHaveArrived: true)
    }
}
