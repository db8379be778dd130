import APIClient
import Synchronization
import Testing

@Suite struct `the budget of bodies` {
    /// What was woken, in its order.
    private final class Woken: Sendable {
        private let names = Mutex<[String]>([])

        /// Takes `bytes` for `share`, and notes when it is woken.
        func take(_ bytes: Int, _ share: BodyShare?, _ name: String) -> Bool? {
            share?.take(bytes) { self.names.withLock { $0.append(name) } }
        }

        var all: [String] { names.withLock { $0 } }
    }

    @Test func `N3: what is over the budget waits until a share is given back`() {
        let budget = BodyBudget(bytes: 100)
        let woken = Woken()
        var first: BodyShare? = budget.share()
        let (second, third) = (budget.share(), budget.share())
        #expect(woken.take(60, first, "first") == true)
        #expect(woken.take(50, second, "second") == false)
        // It would fit, but then the larger one could wait for ever.
        #expect(woken.take(10, third, "third") == false)
        #expect(budget.waiting == 2)
        first = nil
        #expect(woken.all == ["second", "third"])
        #expect(budget.waiting == 0)
        #expect(woken.take(50, second, "again") == true)
    }

    @Test func `a share that is given up while it waits lets the next one in`() {
        let budget = BodyBudget(bytes: 100)
        let woken = Woken()
        let first = budget.share()
        var second: BodyShare? = budget.share()
        let third = budget.share()
        #expect(woken.take(60, first, "first") == true)
        #expect(woken.take(90, second, "second") == false)
        #expect(woken.take(40, third, "third") == false)
        second = nil
        #expect(woken.all == ["third"])
    }

    @Test func `a share asks once, and what is more than all there is comes alone`() {
        let budget = BodyBudget(bytes: 100)
        let woken = Woken()
        var first: BodyShare? = budget.share()
        let second = budget.share()
        #expect(woken.take(300, first, "first") == true)
        #expect(woken.take(300, first, "first") == true)
        #expect(woken.take(1, second, "second") == false)
        #expect(woken.take(1, second, "second") == false)
        #expect(budget.waiting == 1)
        first = nil
        #expect(woken.all == ["second"])
    }
}
