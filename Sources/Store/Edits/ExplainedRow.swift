public import Host
public import Rules

/// A row of a list, and where each of its values comes from.
public struct ExplainedRow: Sendable, Hashable {
    /// A column in its layers.
    public struct Column: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// What the row shows, or would show if no delete hid it.
        public let value: FieldValue
        /// What the server had when it last showed the row; nil where it never has.
        public let server: FieldValue?
        /// What was sent, and is not decided; nil where nothing was.
        public let sent: FieldValue?
        /// Whether the value is an edit that waits.
        public let isEdit: Bool

        /// A column.
        public init(
            name: String, value: FieldValue, server: FieldValue?, sent: FieldValue? = nil,
            isEdit: Bool = false
        ) {
            self.name = name
            self.value = value
            self.server = server
            self.sent = sent
            self.isEdit = isEdit
        }
    }

    /// An operation of the row.
    public struct Operation: Sendable, Hashable {
        /// Its place in the queue.
        public let sequence: OperationSequence
        /// What it does at the server.
        public let kind: OperationKind
        /// Where it stands.
        public let state: OperationState
        /// How often it was sent since it was queued.
        public let attempts: Int64
        /// When it was queued.
        public let queuedAt: WallTime
        /// When the intent of its last attempt was committed.
        public let sentAt: BootTime?
        /// How long after that it may still take effect; nil where that is not known.
        public let settlingTime: Duration?
        /// When it may be sent again at the earliest.
        public let notBefore: WallTime?
        /// The status of its last answer; nil where there was none.
        public let lastStatus: Int64?
        /// Why the last attempt failed; nil where none did.
        public let lastError: String?
        /// It is a delete that a person has to accept before it is sent.
        public var isHeld = false
        /// It waits for another row.
        public var behindRow: RowWait?

        /// An operation.
        public init(
            sequence: OperationSequence, kind: OperationKind, state: OperationState,
            attempts: Int64 = 0, queuedAt: WallTime, sentAt: BootTime? = nil,
            settlingTime: Duration? = nil, notBefore: WallTime? = nil, lastStatus: Int64? = nil,
            lastError: String? = nil
        ) {
            self.sequence = sequence
            self.kind = kind
            self.state = state
            self.attempts = attempts
            self.queuedAt = queuedAt
            self.sentAt = sentAt
            self.settlingTime = settlingTime
            self.notBefore = notBefore
            self.lastStatus = lastStatus
            self.lastError = lastError
        }
    }

    /// The list.
    public let list: String
    /// The local id.
    public let id: Int64
    /// The id at the server; nil where the server has not got the row.
    public let serverID: String?
    /// False while a delete hides it.
    public let isShown: Bool
    /// When the last pull began that was taken; nil where none was.
    public let pulledAt: WallTime?
    /// In the order of the table.
    public let columns: [Column]
    /// The create, the updates and the delete of the row that are not done; what is sent before what waits.
    public let operations: [Operation]

    /// A row.
    public init(
        list: String, id: Int64, serverID: String?, isShown: Bool = true, pulledAt: WallTime?,
        columns: [Column], operations: [Operation] = []
    ) {
        self.list = list
        self.id = id
        self.serverID = serverID
        self.isShown = isShown
        self.pulledAt = pulledAt
        self.columns = columns
        self.operations = operations
    }
}
