public import APIClient
public import Host

/// The whole configuration of a process as checked values; it holds secrets only where they stand
/// in the file itself.
public struct Settings: Sendable, Hashable {
    /// The configuration file, absolute.
    public let file: String
    /// The directory of the token and, unless `database` is set, of the cache; absolute.
    public let stateDirectory: String
    /// The cache, absolute; a path, never a URI.
    public let database: String
    /// What is pulled from the movies' server.
    public let movies: MoviesSettings
    /// What is synced with the todos' server.
    public let todos: TodosSettings
    /// The lists that files declare, in the order of their names. Only ``loadUsable(named:facts:)`` reads them.
    public internal(set) var lists: [ListSettings] = []
    /// The files beside them that declare no list, in the order of their names.
    public internal(set) var brokenLists: [BrokenList] = []
    /// Where their files are.
    let listDirectory: ListDirectory
    /// The servers of the section of that name.
    let servers: [String: ServerSettings]
    /// How requests are made.
    public let http: HTTPSettings
    /// What the log tells.
    public let log: LogSettings
    /// Every key as it holds, with its source, in the order of ``KnownKey/all``; secrets masked.
    public let effectiveValues: [EffectiveValue]

    /// Settings of the movies.
    public struct MoviesSettings: Sendable, Hashable {
        /// Which of TMDB's two kinds of credentials, and where it is.
        public enum Credential: Sendable, Hashable {
            /// A read token, sent in a header.
            case bearer(SecretSource)
            /// A key, sent in the URL.
            case apiKey(SecretSource)

            /// Where it is.
            public var source: SecretSource {
                switch self {
                case .bearer(let source), .apiKey(let source): source
                }
            }
        }

        /// Whether movies are pulled.
        public let isEnabled: Bool
        /// Where they come from.
        public let baseURL: BaseURL
        /// `nil`: none is configured.
        public let credential: Credential?
        /// Language of the texts.
        public let language: String?
        /// Country of the release dates.
        public let region: String?
        /// Time between two pulls.
        public let interval: Duration
    }

    /// Settings of the todos.
    public struct TodosSettings: Sendable, Hashable {
        /// Whether the server honours `Idempotency-Key`.
        public enum Idempotency: String, Sendable, Hashable, CaseIterable {
            /// It does not, or nobody knows.
            case none
            /// It does.
            case key
        }

        /// Whether todos are synced.
        public let isEnabled: Bool
        /// Where they live.
        public let baseURL: BaseURL
        /// Name of the account.
        public let email: String
        /// `nil`: none is configured.
        public let password: SecretSource?
        /// Time between two pulls.
        public let interval: Duration
        /// What a repeated create does at the server.
        public let idempotency: Idempotency
        /// Operations under way at once, 1 to 16.
        public let concurrency: Int
    }

    /// Settings of all requests.
    public struct HTTPSettings: Sendable, Hashable {
        /// Time for a connection to be made.
        public let connectTimeout: Duration
        /// Time for a whole request.
        public let timeout: Duration
        /// Largest answer, in bytes after decoding.
        public let maxBodyBytes: Int
        /// A proxy for every request, without a path.
        public let proxy: BaseURL?
        /// Certificates to trust instead of the system's, an absolute path.
        public let caFile: String?
        /// Base URLs that may be spoken to without TLS, though not on this machine.
        public let allowInsecure: [BaseURL]
    }

    /// Settings of the log.
    public struct LogSettings: Sendable, Hashable {
        /// What a person may ask for.
        public enum Format: String, Sendable, Hashable, CaseIterable {
            /// As fits where the log goes.
            case auto
            /// For people.
            case text
            /// One object a line.
            case json
        }

        /// The least that is told.
        public let level: LogLevel
        /// How.
        public let format: Format

        /// The format for a log on `descriptor`.
        ///
        /// - Parameters:
        ///   - environment: Tells whether the journal listens.
        ///   - descriptor: 2 is standard error.
        /// - Returns: What was asked for, or what fits.
        public func format(environment: [String: String], descriptor: Int32) -> LogFormat {
            switch format {
            case .auto: .automatic(environment: environment, descriptor: descriptor)
            case .text: .text
            case .json: .json
            }
        }
    }
}
