public import Host

/// What a list remembers of increments and of whole lists.
public struct SinceMemory: Sendable, Hashable {
    /// From where the next increment asks.
    public var marks = SinceMarks()
    /// When the last whole list began that was taken; nil: none was, or nobody knows.
    public var wholeBegan: BootTime?
    /// How many pages that list had.
    public var wholePages: Int64 = 0
    /// What asks for a whole list.
    public var wholeWish = WholeWish.none
    /// How many changes whole lists have found that increments should have shown.
    public var missed: Int64 = 0
    /// What the last of them were, in words; nil where there were none.
    public var whyMissed: String?

    /// Nothing is known yet.
    public init() {}
}
