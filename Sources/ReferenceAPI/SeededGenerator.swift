/// A small random sequence that its seed decides wholly (the SplitMix64 recurrence).
///
/// It is no source of secrets; everything that must repeat under a seed draws from it.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var position: UInt64

    /// The sequence of `seed`.
    public init(seed: UInt64) {
        position = seed
    }

    /// The sequence of the `number`-th draw under `seed`, so that no earlier draw has to be made.
    public init(seed: UInt64, number: UInt64) {
        var first = SeededGenerator(seed: seed)
        position = first.next() ^ (number &* 0xD1B5_4A32_D192_ED03)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9_7F4A_7C15
        var bits = position
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// So many bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
