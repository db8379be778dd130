internal import CLinux
internal import Glibc

/// What a process is told by its surroundings, read in the composition root and passed on as values.
public struct ProcessFacts: Sendable, Hashable {
    /// The environment; of a name that comes twice the first one counts, as in getenv(3). What is
    /// not UTF-8 is repaired with U+FFFD.
    public let environment: [String: String]
    /// The effective user id.
    public let user: UInt32
    /// The working directory, or `nil` when it is gone.
    public let workingDirectory: String?

    /// Facts as values, for a test.
    public init(environment: [String: String], user: UInt32, workingDirectory: String?) {
        self.environment = environment
        self.user = user
        self.workingDirectory = workingDirectory
    }

    /// The facts of this process.
    public static func current() -> ProcessFacts {
        var environment: [String: String] = [:]
        // Enough for most: it would grow six times at every start.
        environment.reserveCapacity(64)
        var entry = environ
        while let line = entry.pointee {
            let text = String(cString: line)
            // Not by characters: the sign with a combining mark behind it is another character.
            let halves = text.unicodeScalars
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2 {
                let name = String(halves[0])
                environment[name] = environment[name] ?? String(halves[1])
            }
            entry = entry.advanced(by: 1)
        }
        let directory = getcwd(nil, 0)
        defer { free(directory) }
        return ProcessFacts(
            environment: environment, user: geteuid(),
            workingDirectory: directory.map { String(cString: $0) })
    }

    /// Keeps this process's memory, which holds secrets, to itself: no core file, no debugger of the
    /// same user, and none of the variables that make a TLS library write its keys or trust other
    /// certificates. First in `main`, before any thread is made.
    public static func protectSecrets() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Each of these is one fence of several: one that cannot be set takes nothing from the others.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = syncd_forbid_dumps()
        for name in [
            "SSLKEYLOGFILE", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF",
            "OPENSSL_MODULES", "OPENSSL_ENGINES",
        ] {
            unsetenv(name)
        }
    }

    /// Keeps libdispatch from writing to the system's log: at every start it complains there that its
    /// manager's thread did not get a higher priority, which only root may give. It makes no
    /// difference here. Before libdispatch has anything to say; what somebody has set stays.
    public static func silenceDispatch() {
        setenv("LIBDISPATCH_LOG", "NO", 0)
    }
}
