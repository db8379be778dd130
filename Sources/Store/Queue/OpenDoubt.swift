/// When a doubt has been open for so long that the person is told.
public enum OpenDoubt: Sendable {
    /// Pulls that were taken and did not decide it.
    public static let pulls = 3
    /// The time since it was sent first.
    public static let age = Duration.seconds(3600)
}
