internal import Synchronization

/// A value that is made when it is first asked for: a pull asks for its statements with each page.
final class MadeOnce<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    func callAsFunction(_ make: () -> Value) -> Value {
        if let value = made.withLock({ $0 }) { return value }
        // Two may make it at once: both make the same.
        let value = make()
        made.withLock { $0 = value }
        return value
    }
}
