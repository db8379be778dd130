public import ReferenceAPI

/// What a ``LoopbackServer`` is made of.
public struct DemoSettings: Sendable {
    /// On 127.0.0.1; 0 is any free port.
    public var port: UInt16
    /// Where the todo service keeps its state; `nil`: in memory.
    public var stateFile: String?
    /// Of the account demo@example.com, where the state does not know it yet.
    public var password: String
    /// How both services behave.
    public var behaviour: ReferenceBehaviour
    /// What the movie service serves.
    public var movies: MovieCatalogue
    /// Lists of any rows, by what stands behind `/lists/` in their paths.
    public var lists: [String: ReferenceList] = [:]
    /// How the server misbehaves.
    public var faults: FaultRates
    /// Chooses the requests that meet a fault.
    public var random: any RandomNumberGenerator & Sendable
    /// Milliseconds since 1970.
    public var milliseconds: @Sendable () -> Int64
    /// How many todos without a title the demo's account has at least.
    public var untitled = 0
    /// Gets a line for each request, in which no token and no body occurs.
    public var log: @Sendable (String) -> Void
    /// Gets the error after which the server answers nothing any more.
    public var failed: @Sendable (DemoError) -> Void

    /// All of it.
    public init(
        port: UInt16, stateFile: String?, password: String, behaviour: ReferenceBehaviour,
        movies: MovieCatalogue, faults: FaultRates, random: any RandomNumberGenerator & Sendable,
        milliseconds: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void,
        failed: @escaping @Sendable (DemoError) -> Void
    ) {
        self.port = port
        self.stateFile = stateFile
        self.password = password
        self.behaviour = behaviour
        self.movies = movies
        self.faults = faults
        self.random = random
        self.milliseconds = milliseconds
        self.log = log
        self.failed = failed
    }
}
