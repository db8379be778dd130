internal import Synchronization

/// The events that the loop has not seen yet, and a bell.
///
/// Bounded: the same wake waits only once, except a second signal to stop. All other events are one
/// for each thing that the loop has under way.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    private let bell: AsyncStream<Void>.Continuation
    /// Rings once or more after each event; for one listener.
    let rings: AsyncStream<Void>

    init() {
        (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ event: Event) {
        events.withLock { events in
            if case .woken(let wake) = event, Self.isFull(events, of: wake) { return }
            events.append(event)
        }
        bell.yield()
    }

    /// All events so far, in the order they came.
    func takeAll() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    private static func isFull(_ events: [Event], of wake: Wake) -> Bool {
        let count = events.count {
            if case .woken(wake) = $0 { true } else { false }
        }
        return count >= (wake == .stop ? 2 : 1)
    }
}
