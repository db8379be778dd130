internal import Host

/// How far apart two cycles are when all is well: one interval, less up to a tenth of it by chance,
/// so that a fleet does not arrive together.
///
/// Law: `interval × 9/10 ≤ wait ≤ interval`, every millisecond as likely as the others.
package struct Spacing: Sendable, Hashable {
    /// From one scheduled cycle to the next.
    package var interval: Duration

    /// A spacing of `interval`.
    package init(of interval: Duration) { self.interval = interval }

    /// A wait, drawn anew for each cycle.
    package func wait(random: any RandomSource) -> Duration {
        interval - .milliseconds(random.number(upTo: interval.wholeMilliseconds / 10))
    }
}
