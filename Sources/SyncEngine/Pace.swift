/// How fast a server may be asked: it says so by refusing, with 429 or 503.
///
/// A refusal brings the lanes down to one and doubles the gap between two requests; a success shrinks
/// the gap by a quarter, and once it is gone adds a lane. So a limit of so many requests a second is
/// found and kept, without a word of the server's about it.
/// Law: after ``refusalsAtMost`` refusals in a row the replay pauses.
package struct Pace: Sendable, Hashable {
    /// How many requests may be under way when nothing is refused.
    private let lanesAtMost: Int
    /// How many requests may be under way now.
    package private(set) var lanes: Int
    /// How long to wait before the next request; zero where several may be under way.
    package private(set) var gap = Duration.zero
    private var refusals = 0

    /// The gap after a first refusal.
    package static let firstGap = Duration.milliseconds(100)
    /// A wait that a server asks for and that is no longer than this is waited for in the replay.
    package static let longestGap = Duration.seconds(5)
    /// So many refusals in a row end the replay.
    package static let refusalsAtMost = 7
    /// So many of a read end its cycle: that comes again by itself.
    package static let readRefusalsAtMost = 5

    /// Full speed: `lanes` requests at once.
    package init(lanes: Int) {
        lanesAtMost = max(lanes, 1)
        self.lanes = lanesAtMost
    }

    /// The server refused a request because there were too many; it asked for a wait of `asked`.
    package mutating func slowDown(asked: Duration?) {
        refusals += 1
        lanes = 1
        gap = min(asked ?? max(gap * 2, Self.firstGap), Self.longestGap)
    }

    /// The server took a request.
    package mutating func speedUp() {
        refusals = 0
        guard gap == .zero else {
            gap = gap * 3 / 4
            if gap < Self.firstGap / 4 { gap = .zero }
            return
        }
        lanes = min(lanes + 1, lanesAtMost)
    }

    /// Whether it is no use to go on for now.
    package var isExhausted: Bool { refusals >= Self.refusalsAtMost }
}
