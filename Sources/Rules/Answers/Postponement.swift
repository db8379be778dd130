public import Host

/// When and why an operation is tried again.
public struct Postponement: Sendable, Hashable {
    /// Not before this moment.
    public var until: BootTime
    /// The same moment for people.
    public var shown: WallTime
    /// The server named this moment: no person's wish comes before it.
    public var askedUntil: BootTime?
    /// The HTTP status of the answer; nil where there was none.
    public var status: Int?
    /// One sentence; foreign text in it is escaped already.
    public var error: String
    /// What the server said against the operation; nil where it said nothing of it.
    public var refusal: Refusal?

    /// A wait until `until`, because of `error`.
    public init(
        until: BootTime, shown: WallTime, askedUntil: BootTime?, status: Int?, error: String
    ) {
        self.until = until
        self.shown = shown
        self.askedUntil = askedUntil
        self.status = status
        self.error = error
    }
}
