public import Rules

/// An operation that is being sent: its intent is on the disk.
public struct OutgoingOperation: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it does at the server.
    public let kind: OperationKind
    /// The row's fields that have a value, each as JSON text.
    public internal(set) var values: [String: String]
    /// The fields that an update changes, each as JSON text.
    public internal(set) var changed: [String: String] = [:]
    /// The fields by which a path names the row, as the server has them, each as JSON text; of an update or a delete
    /// only.
    public internal(set) var known: [String: String] = [:]
    /// The row's document, as this cycle's list has shown it; of an update only.
    public internal(set) var document: String?
    /// The row's id there; nil for a create.
    public let serverID: String?
    /// The row's version, where its call names one.
    public let version: String?
    /// The same for every attempt of one create.
    public let idempotencyKey: String
    /// This one included.
    public let attempts: Int

    /// An operation whose intent is committed.
    public init(
        sequence: OperationSequence, kind: OperationKind, values: [String: String],
        serverID: String?, version: String? = nil, idempotencyKey: String, attempts: Int
    ) {
        self.sequence = sequence
        self.kind = kind
        self.values = values
        self.serverID = serverID
        self.version = version
        self.idempotencyKey = idempotencyKey
        self.attempts = attempts
    }
}
