/// A file that should declare a list, and does not: that list alone stops.
public struct BrokenList: Sendable, Hashable {
    /// The name of the list: that of the file, without its ending. It can be no name of a list at all.
    public let name: String
    /// What is wrong.
    public let error: ConfigurationError
}
