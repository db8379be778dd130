package import Declarations
package import Host

/// How much of a list a pull asks for.
package enum PullScope: Sendable, Hashable {
    /// Every row.
    case whole
    /// What has changed since the mark. Such a pull is never complete.
    case increment(from: String)
    /// Every row of some parts of the list.
    case parts

    /// Whether it asks for every row.
    package var isWhole: Bool { self == .whole }

    /// Whether its pages are kept, to be asked for with their versions.
    package var asksForPages: Bool { self == .whole || self == .parts }

    /// What speaks for a whole list.
    package struct Wishes: Sendable, Hashable {
        /// A pull is held.
        package var isHeld = false
        /// A person asks for it.
        package var isAsked = false
        /// Whether a change happened can be told by absence alone, and increments have not shown it.
        package var hasDoubt = false
        /// A change of a row waits, and no row can be read alone.
        package var hasUnreadChange = false

        /// None of them.
        package init() {}
    }

    /// So long after a whole list, the number of rows alone asks for no other one.
    package static let shortestWish = Duration.seconds(3600)

    /// The scope of a pull of a list with `since`, at `now`.
    package static func of(
        _ since: Since, _ memory: SinceMemory, _ wishes: Wishes, now: BootTime
    ) -> PullScope {
        guard let mark = memory.marks.mark, let began = memory.wholeBegan,
            // How long ago something was in another boot, nobody knows.
            began.boot == now.boot, now.elapsed(since: began) < since.whole,
            memory.wholeWish == .none, !wishes.isHeld, !wishes.isAsked, !wishes.hasDoubt,
            !wishes.hasUnreadChange
        else { return .whole }
        return .increment(from: mark)
    }
}
