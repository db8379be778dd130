public import APIClient
internal import Declarations
public import Store
public import Tables

/// The todos of one account: where they are pulled from and how they are sent.
public struct TodosSource: Sendable {
    /// The client and its token.
    public let session: TodosSession
    /// Whose todos they are; the cache must belong to it.
    public let account: Account
    /// From one scheduled cycle to the next.
    public let interval: Duration
    /// How many operations may be under way, 1…16.
    public let concurrency: Int
    /// Whether the server honours `Idempotency-Key`.
    public let honoursIdempotencyKeys: Bool
    /// The whole time for one request; twice that, a lost request may still take effect.
    public let timeout: Duration

    /// The todos behind `session`; a `concurrency` outside its range is brought into it.
    public init(
        session: TodosSession, account: Account, interval: Duration, concurrency: Int,
        honoursIdempotencyKeys: Bool, timeout: Duration
    ) {
        self.session = session
        self.account = account
        self.interval = interval
        self.concurrency = min(max(concurrency, 1), 16)
        self.honoursIdempotencyKeys = honoursIdempotencyKeys
        self.timeout = timeout
    }

    /// What the validators of the list are kept under.
    var url: String { session.client.baseURL.description + "/todos" }

    /// How long after its intent a request may still take effect.
    var settlingTime: Duration { timeout * 2 }
}

/// A declared list: its table, and where it is pulled from.
public struct ListSource: Sendable {
    /// The list, and the SQL of its table.
    public let table: ListTable
    /// Reads the pages.
    public let client: ListClient
    /// Shared by the lists of its server.
    public let lanes: ServerLanes

    /// The list of `table` behind `client`.
    public init(table: ListTable, client: ListClient, lanes: ServerLanes) {
        self.table = table
        self.client = client
        self.lanes = lanes
    }

    /// Its name.
    var name: ResourceName { table.declaration.name }
    /// From one scheduled cycle to the next.
    var interval: Duration { table.declaration.interval }
}

/// Why a cycle starts.
public enum CycleCause: Sendable, Hashable {
    /// It was due.
    case scheduled
    /// Another program wrote to the cache.
    case localWrite
    /// A person asked: our own backoff is skipped, what the server asked for is not.
    case asked(acceptsRemovals: Bool)

    /// Whether a person asked.
    package var isAsked: Bool {
        switch self {
        case .asked: true
        case .scheduled, .localWrite: false
        }
    }

    /// Whether a person lets a pull remove more than the wipe guard does.
    package var acceptsRemovals: Bool {
        switch self {
        case .asked(let accepts): accepts
        case .scheduled, .localWrite: false
        }
    }
}
