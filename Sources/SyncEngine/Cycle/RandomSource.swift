/// Where chance comes from; passed in, so that a seed repeats a run.
public protocol RandomSource: Sendable {
    /// A number of `0…bound`, each as likely as the others; 0 where `bound` is not positive.
    func number(upTo bound: Int64) -> Int64
}

/// The system's own random numbers.
public struct SystemRandom: RandomSource {
    /// The kernel's generator, as Swift reads it.
    public init() {}

    /// A number of `0…bound`.
    public func number(upTo bound: Int64) -> Int64 {
        bound <= 0 ? 0 : Int64.random(in: 0...bound)
    }
}
