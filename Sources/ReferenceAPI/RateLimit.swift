/// A limit on the requests that the todo service takes, evenly spaced and without a burst: each has
/// to come a while after the last one that was taken. Requests over the limit get 429, do nothing
/// and do not count.
public struct RateLimit: Sendable, Hashable {
    /// How many are taken a second at most; less than 1 counts as 1.
    public var perSecond: Int
    /// Seconds for `Retry-After` in a 429; `nil`: without the field.
    public var retryAfter: Int64?

    /// A limit of `perSecond` requests a second.
    public init(perSecond: Int, retryAfter: Int64?) {
        self.perSecond = perSecond
        self.retryAfter = retryAfter
    }

    /// The shortest time between two requests that are taken.
    var gapMilliseconds: Int64 { 1000 / Int64(max(1, perSecond)) }
}
