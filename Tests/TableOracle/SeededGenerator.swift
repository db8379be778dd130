/// Random numbers that a seed repeats (SplitMix64).
///
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of `range`.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Whether something of this percentage happens.
    mutating func happens(_ percent: Int) -> Bool { number(0...99) < percent }

    /// One of the elements. There must be one.
    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    /// The elements in another order.
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            shuffled.swapAt(last, number(0...last))
        }
        return shuffled
    }

    /// Some of the elements, at least one, in the order that they have.
    mutating func some<Element>(of elements: [Element]) -> [Element] {
        let kept = shuffled(Array(elements.indices)).prefix(number(1...elements.count))
        return kept.sorted().map { elements[$0] }
    }
}
