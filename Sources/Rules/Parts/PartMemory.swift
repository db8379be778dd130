package import Host

/// What is remembered of a part of a list, and what is known of the row above it.
package struct PartMemory: Sendable, Hashable {
    /// The word, or what the server calls the row above.
    package let name: String
    /// What its address names of that row, in the order of the address; nil where it has nothing there.
    package var values: [String?] = []
    /// When the last read of it began that was taken; nil: none was.
    package var readAt: BootTime?
    /// What the watched columns had then.
    package var watchedThen: String?
    /// What they have now.
    package var watchedNow: String?
    /// The last round in which it was read to its end, or refused.
    package var round: Int64?
    /// A row seems to have moved from there, or to there, or a person asks for it.
    package var isWanted = false
    /// Something was sent of which only a list of it can say what became of it.
    package var isDoubtful = false

    /// It could not be read the last time.
    package var hasFailed = false

    /// Nobody has asked for it yet.
    package var isNew: Bool { readAt == nil && !hasFailed }

    /// A part that was never read.
    package init(name: String) { self.name = name }
}
