package import Host

/// The law of absence: what follows if a pull does not show a row.
///
/// A list can be wrong once and look right: a server that is starting gives an empty answer, a page
/// looks like the whole list, a replica lags. So absence decides about a person's change only when
/// it was seen twice.
///
/// Law: a change (a delete that waits, a create or delete in doubt) follows the absence of its row
/// when two complete pulls in a row do not show it, the second begun at least
/// ``confirmation(interval:)`` after the first. A row without a change follows one complete pull;
/// of a list in pages it also follows the third pull in a row that read every page. A pull that is
/// not complete says nothing about missing rows.
package struct Absence: Sendable, Hashable {
    /// What a pull's silence about a row means for a change of it.
    package enum Meaning: Sendable, Hashable {
        /// Nothing: the pull is not complete, or it came too soon after the first.
        case nothing
        /// The first complete pull that does not show it: to be remembered.
        case firstSight
        /// The second one: the row is gone, the create did not take effect.
        case agreed
    }

    /// When the pull began, on the machine's boot clock.
    package let pullBegan: BootTime
    /// Whether the pull holds every row of the server.
    package let isComplete: Bool
    /// How much later than the first pull the second one begins.
    package let confirmation: Duration

    /// What one pull says.
    package init(pullBegan: BootTime, isComplete: Bool, confirmation: Duration) {
        self.pullBegan = pullBegan
        self.isComplete = isComplete
        self.confirmation = confirmation
    }

    /// How much later a second pull agrees with a first one, for a list pulled each `interval`.
    package static func confirmation(interval: Duration) -> Duration {
        min(interval, .seconds(60))
    }

    /// What the absence of a row means for a change of it, where complete pulls have not shown it since
    /// `missedSince`; nil where the last one did.
    package func meaning(missedSince: BootTime?) -> Meaning {
        guard isComplete else { return .nothing }
        guard let missedSince else { return .firstSight }
        return pullBegan.elapsed(since: missedSince) >= confirmation ? .agreed : .nothing
    }
}
