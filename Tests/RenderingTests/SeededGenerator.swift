/// A small random source that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A text of up to 24 scalars: letters, controls, bidirectional marks, wide signs, emoji,
    /// marks, separators, and anything else that is a scalar.
    mutating func text() -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &self) {
            let value: UInt32 =
                switch Int.random(in: 0..<8, using: &self) {
                case 0: .random(in: 0...0x1F, using: &self)
                case 1: .random(in: 0x7F...0xA0, using: &self)
                case 2: .random(in: 0x200B...0x206F, using: &self)
                case 3: .random(in: 0x300...0x36F, using: &self)
                case 4: .random(in: 0x4E00...0x9FFF, using: &self)
                case 5: .random(in: 0x1F300...0x1FAFF, using: &self)
                case 6: .random(in: 0...0x10FFFF, using: &self)
                default: .random(in: 0x20...0x7E, using: &self)
                }
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
