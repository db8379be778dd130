internal import CLinux
internal import Glibc

/// How much a log tells; each level tells what the levels after it tell, too.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// What helps to find a fault in syncd.
    case debug
    /// What changed: a cycle's outcome, a start, an end.
    case info
    /// What somebody should look at some day.
    case warning
    /// What somebody should look at now.
    case error

    /// The priority of syslog(3), which the journal reads as `<N>` at a line's start.
    var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    /// More talkative first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.priority > right.priority
    }
}

/// How a line of the log looks.
public enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// Time, level, message, fields: for people.
    case text
    /// `<N>`, message, fields: the journal adds the time and takes the priority from `<N>`.
    case journal
    /// One JSON object.
    case json

    /// ``journal`` when `descriptor` leads to the journal, else ``text``.
    ///
    /// - Parameters:
    ///   - environment: `JOURNAL_STREAM` is read; it holds device and inode of the journal's end
    ///     (systemd.exec(5)), and is inherited even where the output was sent elsewhere.
    ///   - descriptor: 2 is standard error.
    /// - Returns: One of the two, never ``json``.
    public static func automatic(
        environment: [String: String], descriptor: Int32
    ) -> LogFormat {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else {
            return .text
        }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .text
    }
}
