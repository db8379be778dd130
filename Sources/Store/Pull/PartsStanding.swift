/// How the parts of a list stand.
package struct PartsStanding: Sendable, Hashable {
    /// How many there are.
    package let parts: Int64
    /// Those that were never read.
    package let unread: Int64
    /// Those that could not be read the last time.
    package let failed: [PartsPull.PartFailure]
    /// The list above was never read, so nobody knows which parts there are.
    package let lacksAbove: Bool
    /// Every one was read to its end, and not long ago.
    package let isComplete: Bool
}
