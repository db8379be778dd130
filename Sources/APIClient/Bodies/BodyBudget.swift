internal import Synchronization

/// How many bytes the bodies of answers may have together while they come and until they have been read.
///
/// One answer is bounded by its request. But many lists can be asked at once, and each answer could be as large as one
/// may be. So a body larger than ``BodyShare/free`` bytes needs a share of the budget, and its transfer rests until there
/// is one.
public final class BodyBudget: Sendable {
    private struct Waiter {
        let share: UInt64
        let bytes: Int
        let wake: @Sendable () -> Void
    }

    private struct State {
        var left: Int
        var taken: [UInt64: Int] = [:]
        /// In the order they came: a large body is not passed over for ever.
        var waiting: [Waiter] = []
        var lastShare: UInt64 = 0

        /// Gives those who have waited longest what is left.
        mutating func grant() -> [Waiter] {
            var granted: [Waiter] = []
            while let first = waiting.first, first.bytes <= left {
                left -= first.bytes
                taken[first.share] = first.bytes
                granted.append(waiting.removeFirst())
            }
            return granted
        }
    }

    private let most: Int
    private let state: Mutex<State>

    /// A budget of so many bytes.
    public init(bytes: Int) {
        most = bytes
        state = Mutex(State(left: bytes))
    }

    /// How many transfers rest until there is a share.
    package var waiting: Int { state.withLock(\.waiting.count) }

    /// For one answer.
    public func share() -> BodyShare {
        let number = state.withLock { state in
            state.lastShare += 1
            return state.lastShare
        }
        return BodyShare(budget: self, number: number)
    }

    fileprivate func take(
        _ bytes: Int, for share: UInt64, orWake wake: @escaping @Sendable () -> Void
    ) -> Bool {
        state.withLock { state in
            // What is more than all there is has to be alone.
            let bytes = min(bytes, most)
            guard state.taken[share] == nil else { return true }
            state.waiting.removeAll { $0.share == share }
            guard state.waiting.isEmpty, bytes <= state.left else {
                state.waiting.append(Waiter(share: share, bytes: bytes, wake: wake))
                return false
            }
            state.left -= bytes
            state.taken[share] = bytes
            return true
        }
    }

    fileprivate func end(_ share: UInt64) {
        let granted = state.withLock { state in
            state.left += state.taken.removeValue(forKey: share) ?? 0
            state.waiting.removeAll { $0.share == share }
            return state.grant()
        }
        for waiter in granted { waiter.wake() }
    }
}

/// What the body of one answer has of a ``BodyBudget``. It is given back when nobody holds the share any more: so
/// whoever reads the body holds it until then.
public final class BodyShare: Sendable, Hashable {
    /// A body of so many bytes is not counted: most answers are small, and they are soon read.
    public static let free = 256 * 1024

    private let budget: BodyBudget
    private let number: UInt64

    fileprivate init(budget: BodyBudget, number: UInt64) {
        self.budget = budget
        self.number = number
    }

    deinit { budget.end(number) }

    /// Takes `bytes` for the body, once. Where there are not as many left, returns false, and `wake` is called when they
    /// have been taken.
    public func take(_ bytes: Int, orWake wake: @escaping @Sendable () -> Void) -> Bool {
        budget.take(bytes, for: number, orWake: wake)
    }

    /// Whether both are one share.
    public static func == (left: BodyShare, right: BodyShare) -> Bool { left === right }

    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
