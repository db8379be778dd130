/// When a change that waits is *stuck*, so that a person is told.
public enum StuckChange: Sendable {
    /// Attempts after which it is stuck.
    public static let attempts = 3
    /// Milliseconds after which it is stuck, whatever was tried. Triggers write when it was queued, so the wall clock
    /// decides.
    public static let age = 3_600_000

    /// Whether an operation waits, as a condition on the table `operation`.
    static let waits = "operation.state IN ('queued', 'sending', 'in doubt')"

    /// Whether an operation is stuck, as a condition on the table `operation`.
    static let isStuck = """
        \(waits) AND (attempts >= \(attempts)
                            OR queued_at <= CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) - \(age))
        """
}
