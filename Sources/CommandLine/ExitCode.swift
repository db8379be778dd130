/// How a command ended, in the numbers of sysexits(3).
public enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    /// It did what it was asked to.
    case ok = 0
    /// `check` found a fault, changes are stuck or refused, or a list is cut.
    case findings = 1
    /// The command line is wrong.
    case usage = 64
    /// What was given is refused: an unknown id, an empty title, bad SQL.
    case data = 65
    /// A server cannot be reached or not be trusted.
    case unavailable = 69
    /// The disk, the cache or standard output failed.
    case disk = 74
    /// Not now: busy, held, stale, or the server asked to wait.
    case tryLater = 75
    /// A server refuses the credentials.
    case credentials = 77
    /// The configuration is wrong, or the cache belongs to another account.
    case configuration = 78
    /// A signal ended it.
    case interrupted = 130
    /// Nobody reads standard output any more.
    case closedPipe = 141

    /// What the number says, for `--help`.
    package var meaning: String {
        switch self {
        case .ok: "done"
        case .findings:
            "`check` found a fault, changes are stuck or refused, or a list is cut"
        case .usage: "the command line is wrong"
        case .data: "the input is refused: an unknown id, a bad title, bad SQL"
        case .unavailable: "a server cannot be reached or is not trusted"
        case .disk: "the disk, the cache or standard output failed"
        case .tryLater: "try later: busy, held, too old, or the server asked to wait"
        case .credentials: "a server refuses the credentials"
        case .configuration: "the configuration is wrong, or the cache is another account's"
        case .interrupted: "interrupted by a signal"
        case .closedPipe: "nobody reads standard output any more"
        }
    }

    /// What every command can end with.
    static let general: [ExitCode] = [.ok, .usage, .disk, .closedPipe]

    /// The worst of several, the one that needs a person most; ``ok`` of none.
    package static func worst(of statuses: [ExitCode]) -> ExitCode {
        let order: [ExitCode] = [
            .disk, .configuration, .credentials, .unavailable, .data, .tryLater,
        ]
        return order.first { statuses.contains($0) } ?? statuses.first { $0 != .ok } ?? .ok
    }
}
