import Synchronization

/// The orders that wait for a network, and a bell.
///
/// They are handed over under a lock, and not by the stream: ThreadSanitizer does not see what the
/// toolchain's library orders when an element comes in the moment before it is waited for.
final class MockOrders: Sendable {
    private let waiting = Mutex<[MockOrder]>([])
    private let bell: AsyncStream<Void>.Continuation
    /// Rings once or more after each order, and ends with ``finish()``; for one listener.
    let rings: AsyncStream<Void>

    init() {
        (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// False where nobody takes orders any more.
    func put(_ order: MockOrder) -> Bool {
        waiting.withLock { $0.append(order) }
        if case .terminated = bell.yield() { return false }
        return true
    }

    /// All orders so far, in the order they came.
    func takeAll() -> [MockOrder] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    func finish() { bell.finish() }
}
