import SyncEngine
import Synchronization

/// Random numbers that a seed repeats (SplitMix64).
///
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
package final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    /// The sequence of `seed`.
    package init(seed: UInt64) { state = Mutex(seed) }

    /// The next 64 bits.
    package func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    package func number(upTo bound: Int64) -> Int64 {
        guard bound > 0, bound < .max else { return 0 }
        return Int64(next() % UInt64(bound + 1))
    }

    /// A number of `0..<count`; 0 for none.
    package func index(_ count: Int) -> Int { Int(number(upTo: Int64(count) - 1)) }

    /// Whether something of this percentage happens.
    package func happens(_ percent: Int) -> Bool { index(100) < percent }

    /// One of the elements, nil where there is none.
    package func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(elements.count)]
    }
}
