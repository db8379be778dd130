/// One thing that strangers can feed, and the laws that hold whatever they feed.
public struct FuzzTarget: Sendable {
    /// As `scripts/fuzz` and the folders below `Tests/Fuzz` name it.
    public let name: String
    /// Feeds the bytes; throws ``BrokenLaw``, or an error that nothing foreign may bring about.
    public let feed: @Sendable ([UInt8]) async throws -> Void

    init(_ name: String, _ feed: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.name = name
        self.feed = feed
    }

    /// Every target, in the order in which they are run.
    public static func all() throws -> [FuzzTarget] {
        [
            .pulls, .lists, .addresses, .answers, .edits, .configuration, .declarations, .headers,
            .arguments, try .search(), .escaping, .proposals,
        ]
    }
}

/// A law that an input broke.
public struct BrokenLaw: Error, Sendable, Hashable, CustomStringConvertible {
    /// What should have held, and what was there instead.
    public let description: String
}

/// Throws where `condition` is false; `law` says what should have held.
func require(_ condition: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
    guard condition else { throw BrokenLaw(description: law()) }
}
