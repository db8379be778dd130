public import Host

/// A value of a column, as text; nil is NULL. The text is one for all spellings of a number, and for an object whatever
/// the order of its members: `Equality` in Tables makes it.
public struct FieldValue: Sendable, Hashable {
    /// The text.
    public let text: String?

    /// A value.
    public init(_ text: String?) { self.text = text }

    /// Two texts are one if they have the same code points: `==` on strings is canonical equivalence.
    public static func == (one: FieldValue, other: FieldValue) -> Bool {
        switch (one.text, other.text) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        case (nil, _?), (_?, nil): false
        }
    }

    /// As `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text == nil)
        for byte in text?.utf8 ?? "".utf8 { hasher.combine(byte) }
    }

    /// Whether the two differ in nothing but what servers alter on the way. It answers only whether a value is the
    /// server's form of ours, never whether somebody has changed it.
    package func folds(to other: FieldValue) -> Bool {
        guard let text, let other = other.text else { return self == other }
        return FoldedValue(text).inSmallLetters == FoldedValue(other).inSmallLetters
    }
}

/// A column of a row that programs can write, in its layers.
public struct EditedField: Sendable, Hashable {
    /// The column.
    public let name: String
    /// What the server had when it last showed the row.
    public let base: FieldValue
    /// What the update that is undecided says; nil where it does not name the column.
    public let sent: FieldValue?
    /// An edit that was not sent; nil: there is none.
    public let waiting: FieldValue?
    /// What the server shows now.
    public let shown: FieldValue
    /// Whether it shows the column at all: an answer may leave out what the row has.
    public var isShown = true
    /// What is remembered of the value that the server has acknowledged; nil: nothing.
    public var trail: FieldTrail?
    /// What the server may have in place of a value of a new row that it did not take.
    public var empty: [FieldValue] = []

    /// A column in its layers.
    public init(
        name: String, base: FieldValue, sent: FieldValue? = nil, waiting: FieldValue? = nil,
        shown: FieldValue, trail: FieldTrail? = nil
    ) {
        self.name = name
        self.base = base
        self.sent = sent
        self.waiting = waiting
        self.shown = shown
        self.trail = trail
    }
}

/// A row of the server that programs have changed, and what the server shows of it now.
public struct EditedRow: Sendable, Hashable {
    /// The update whose effect is not known.
    public struct Update: Sendable, Hashable {
        /// Where it stands.
        public let state: OperationState
        /// When the intent of its last attempt was committed.
        public let sentAt: BootTime?
        /// How long after that it may still take effect; nil where that is not known.
        public let settlingTime: Duration?
        /// The status of its last answer; nil where there was none.
        public let lastStatus: Int?
        /// How many of its refusals pulls have shown to be true only for the moment.
        public let refuted: Int

        /// An update.
        public init(
            state: OperationState, sentAt: BootTime? = nil, settlingTime: Duration? = nil,
            lastStatus: Int? = nil, refuted: Int = 0
        ) {
            self.state = state
            self.sentAt = sentAt
            self.settlingTime = settlingTime
            self.lastStatus = lastStatus
            self.refuted = refuted
        }
    }

    /// The columns that programs can write.
    public let fields: [EditedField]
    /// The update whose effect is not known; nil: there is none.
    public let update: Update?
    /// Where the delete of the row stands; nil: there is none.
    public let delete: OperationState?
    /// When the server last acknowledged anything of the row; nil where nothing of that is remembered.
    public var answeredAt: BootTime?
    /// Its edits go right after the read that shows it now, in place of a list.
    package var goesByRead = false

    /// A row.
    public init(fields: [EditedField], update: Update? = nil, delete: OperationState? = nil) {
        self.fields = fields
        self.update = update
        self.delete = delete
    }
}

/// What becomes of a column when the server shows its row.
public enum FieldOutcome: Sendable, Hashable {
    /// An update of it is undecided: nothing moves.
    case frozen
    /// The server's value is the base, and is shown.
    case taken
    /// The server's value is the base. The edit over it stays.
    case overlaid
    /// What was sent is the base: the server has acknowledged it, and does not show it yet.
    case acknowledged
    /// What was sent did not arrive: it is an edit that waits again.
    case waitsAgain
}

/// Why an edit is not at the server, or went over another's.
public enum ConflictReason: String, Sendable, Hashable, CaseIterable {
    /// Somebody else wrote the column before the edit was sent: it was taken back.
    case edited
    /// Somebody else wrote the column before the edit was sent: it is sent all the same.
    case overwritten
    /// The answer to the edit was lost, and somebody else has written the column since, or before.
    case doubt
    /// The server said yes, and kept the column or the row as it was; or no, and took it all the same.
    case notTaken = "not taken"
    /// The row is not at the server any more.
    case gone
    /// Somebody else wrote the row that was to be deleted: it is kept.
    case delete
    /// The server took the new row for one that was there before.
    case merged
}

/// An edit and what the server has instead.
public struct EditConflict: Sendable, Hashable {
    /// Which of our values it is about.
    public enum Own: Sendable, Hashable {
        /// The edit that waited.
        case waiting
        /// What was sent.
        case sent
        /// What the server acknowledged: the trail knows it.
        case acknowledged
        /// What the server was known to have.
        case known
        /// None: the row was to be deleted.
        case none
    }

    /// The column.
    public let field: String
    /// What happened.
    public let reason: ConflictReason
    /// The value of ours.
    public let own: Own

    /// A conflict.
    public init(_ field: String, _ reason: ConflictReason, _ own: Own) {
        self.field = field
        self.reason = reason
        self.own = own
    }
}

/// What becomes of a row when the server shows it.
public struct EditOutcome: Sendable, Hashable {
    /// What becomes of the update that is undecided.
    public enum Update: Sendable, Hashable {
        /// Nothing.
        case stays
        /// It is done, as far as it goes.
        case ends
        /// The server has acknowledged it, and a list has to show it yet.
        case isAcknowledged
        /// The server will not have what waits again: the person decides.
        case isRejected
    }

    /// By column.
    public var fields: [String: FieldOutcome] = [:]
    /// The whole row is frozen, what programs cannot write as well.
    public var isFrozen = false
    /// The server shows the row as it was before an answer: what programs cannot write stays, too.
    public var isEcho = false
    /// What shows the row began less than a minute after the row's last answer: the next list may be older.
    public var isEarly = false
    /// The update that is undecided.
    public var update = Update.stays
    /// The delete of the row goes, and the row is back.
    public var dropsDelete = false
    /// What the person is told, in the order of the columns.
    public var conflicts: [EditConflict] = []
    /// What is remembered of each column from now on.
    public var trails: [String: FieldTrail] = [:]

    /// Nothing happens.
    public init() {}
}
