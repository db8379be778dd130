public import Host

/// An answer that refuses an operation, with a reason.
public struct Refusal: Sendable, Hashable {
    /// The status and the server's words; foreign text in it is escaped.
    public var words: String
    /// When it came.
    public var at: BootTime

    /// A refusal in these words.
    public init(words: String, at: BootTime) {
        self.words = words
        self.at = at
    }

    /// The refusal of an answer with the status `code` and this reason; nil for one that says nothing of its operation.
    ///
    /// No reason is known, or it is about who asks (401), how often (429), or whether the server is there at all
    /// (408, 502, 503, 504).
    package init?(status code: Int, reason: String?, at moment: BootTime) {
        guard let reason, (400..<600).contains(code),
            ![401, 408, 429, 502, 503, 504].contains(code)
        else { return nil }
        self.init(words: "\(code): \(reason)", at: moment)
    }
}

/// The same refusal of one operation, again and again.
///
/// Law: if ``tries`` answers refuse an operation in the same words, and the first of them came ``span`` before the last,
/// it will never be accepted as it is: it is rejected. Other words begin anew. An answer without words, and a lost one,
/// count for nothing.
package struct LastingRefusal: Sendable, Hashable {
    /// So many equal refusals at least.
    package static let tries = 10
    /// So much time at least from the first to the last.
    package static let span = Duration.seconds(3600)

    /// What each of them said.
    package var words: String
    /// How many there were.
    package var count: Int
    /// When the first of them came.
    package var since: BootTime

    /// So many refusals in these words.
    package init(words: String, count: Int, since: BootTime) {
        self.words = words
        self.count = count
        self.since = since
    }

    /// What stands after `refusal`, if `earlier` stood before it.
    package init(_ refusal: Refusal, after earlier: LastingRefusal?) {
        let isSame = earlier?.words == refusal.words
        words = refusal.words
        count = isSame ? (earlier?.count ?? 0) + 1 : 1
        since = isSame ? earlier?.since ?? refusal.at : refusal.at
    }

    /// Whether it is for good at `now`.
    package func isForGood(at now: BootTime) -> Bool {
        count >= Self.tries && now.elapsed(since: since) >= Self.span
    }
}
