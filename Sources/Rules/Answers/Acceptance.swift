public import Host

/// A success, as it was answered. It is a claim: a list that begins a minute later decides.
public struct Acceptance: Sendable, Hashable {
    /// 200 to 299.
    public var status: Int
    /// Checked byte for byte; empty where there was none, or no JSON.
    public var body: [UInt8]
    /// The id at the server of a new row, as the header names it; nil: it names none.
    public var named: String?
    /// When it came.
    public var at: BootTime
    /// What holds if the body says in a success that the server refuses; nil: it does not say so.
    public var refusal: Postponement?

    /// A success.
    public init(
        status: Int = 200, body: [UInt8] = [], named: String? = nil, at: BootTime,
        refusal: Postponement? = nil
    ) {
        self.status = status
        self.body = body
        self.named = named
        self.at = at
        self.refusal = refusal
    }

    /// The server answered with what it did: 202 says that it will act later, and 203 is not the server's own word.
    public var mayShowRow: Bool { status == 200 || status == 201 }
    /// The server said that it will act later.
    public var isLater: Bool { status == 202 }
}
