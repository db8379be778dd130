/// A column of a declared table.
public struct Column: Sendable, Hashable {
    /// Where its values come from.
    public enum Source: Sendable, Hashable {
        /// A field of the row's document.
        case field(ColumnType, JSONPath)
        /// What syncd itself knows of the row.
        case bookkeeping(Bookkeeping)
    }

    /// When a program may give its value.
    public enum Writing: String, Sendable, Hashable, CaseIterable {
        /// Never.
        case none
        /// For a new row.
        case create
        /// For a row that is there.
        case update
        /// For both.
        case both

        /// Whether a new row may have a value.
        public var isForCreates: Bool { self == .create || self == .both }
        /// Whether a row that is there may get another value.
        public var isForUpdates: Bool { self == .update || self == .both }
    }

    /// 1 to 64 bytes; no two of a table differ only in the case of ASCII letters.
    public let name: String
    /// Where its values come from.
    public let source: Source
    /// When a program may give its value.
    public let writing: Writing
    /// Whether a new row must have a value; a row of the server without one is skipped.
    public let isRequired: Bool
    /// Whether an index helps to search by it.
    public let isIndexed: Bool
    /// The longest text or JSON, in bytes.
    public let byteLimit: Int
    /// Whether a text may be empty.
    public let mayBeEmpty: Bool
    /// The field that a request has it in, where that is not the one it is read from.
    public let writtenAs: String?
    /// Whether reads of single rows alone show it: a list never touches it.
    public let isFromReads: Bool
    /// The row that it refers to; nil for any other column.
    public internal(set) var reference: RowReference?
    /// Whether the declaration says that it refers to no row, whatever its name is like.
    public let isNoReference: Bool
    /// Whether it shows in which part of the list a row is.
    public let isPart: Bool

    init(
        name: String, source: Source, writing: Writing = .none, isRequired: Bool = false,
        isIndexed: Bool = false, byteLimit: Int = Limits.textBytes, mayBeEmpty: Bool = true,
        writtenAs: String? = nil, isFromReads: Bool = false, reference: RowReference? = nil,
        isNoReference: Bool = false, isPart: Bool = false
    ) {
        self.name = name
        self.source = source
        self.writing = writing
        self.isRequired = isRequired
        self.isIndexed = isIndexed
        self.byteLimit = byteLimit
        self.mayBeEmpty = mayBeEmpty
        self.writtenAs = writtenAs
        self.isFromReads = isFromReads
        self.reference = reference
        self.isNoReference = isNoReference
        self.isPart = isPart
    }

    /// The same column, which a new row may have.
    var marked: Column {
        guard writing == .none else { return self }
        return Column(
            name: name, source: source, writing: .create, isRequired: isRequired,
            isIndexed: isIndexed, byteLimit: byteLimit, mayBeEmpty: mayBeEmpty,
            writtenAs: writtenAs, isFromReads: isFromReads, reference: reference,
            isNoReference: isNoReference, isPart: isPart)
    }

    /// Its type, and where it stands in the document; nil for bookkeeping.
    public var field: (type: ColumnType, path: JSONPath)? {
        switch source {
        case .field(let type, let path): (type, path)
        case .bookkeeping: nil
        }
    }

    /// Where a request has its value: the names from the row's object down. Nil for bookkeeping, for a part, and where
    /// the path leads into a list.
    public var writtenNames: [String]? {
        isPart ? nil : writtenAs.map { [$0] } ?? field?.path.names
    }

    /// What it shows of syncd's own knowledge; nil for a field.
    public var bookkeeping: Bookkeeping? {
        switch source {
        case .field: nil
        case .bookkeeping(let kind): kind
        }
    }
}

/// What a field's values are. A value of another type is NULL in the column, and whole in the document.
public enum ColumnType: String, Sendable, Hashable, CaseIterable {
    /// A string.
    case text
    /// A whole number within 64 bits; one that is written with a fraction of zero is one, too.
    case integer
    /// A number.
    case real
    /// `true` or `false`, stored as 1 or 0.
    case boolean
    /// An object, a list or any other value, as JSON text.
    case json
    /// A whole number that the server has and wants as a text: `"7"`.
    case integerText = "integer in a text"
    /// A number that the server has and wants as a text: `"12.50"`.
    case realText = "real in a text"
    /// A row of another list: the table has its local number, the server what it calls that row.
    case row
    /// The same where the server has and wants a text, though the row's own id is a number.
    case rowText = "row in a text"

    /// The types that a declaration has a word for.
    package static let words: [ColumnType] = [.text, .integer, .real, .boolean, .json, .row]
    /// Those of them that a word and a path say whole.
    package static let plainWords: [ColumnType] = words.filter { $0 != .row }

    /// The type of the column's values, wherever the server has them.
    public var plain: ColumnType {
        switch self {
        case .integerText: .integer
        case .realText: .real
        case .rowText: .row
        case .text, .integer, .real, .boolean, .json, .row: self
        }
    }

    /// The same type, as the server has it in a text; nil where it cannot be in one.
    var inText: ColumnType? {
        switch self {
        case .integer: .integerText
        case .real: .realText
        case .row: .rowText
        case .text, .boolean, .json, .integerText, .realText, .rowText: nil
        }
    }

    /// The column's type in a STRICT table.
    public var sqlType: String {
        switch self {
        case .text, .json: "TEXT"
        case .integer, .integerText, .boolean, .row, .rowText: "INTEGER"
        case .real, .realText: "REAL"
        }
    }
}

/// Which number a row of a table has.
public enum RowIDs: Sendable, Hashable {
    /// One of the cache, which never stands for another row. The server's id can be any text or number.
    case local
    /// The server's own, which is a whole number. Only for a list that programs do not write to.
    case server
}

/// What syncd itself knows of a row.
public enum Bookkeeping: String, Sendable, Hashable, CaseIterable {
    /// The local id.
    case id
    /// The id at the server, as text.
    case serverID = "server_id"
    /// `synced`, or the state of the operation that waits.
    case state
    /// Why an operation failed.
    case error
    /// When the row was added to the cache.
    case added
    /// When its document last changed.
    case fetched
    /// Its place in the list, from 1.
    case rank
    /// The row as the server sent it.
    case document

    /// What a table shows of it: of a list that programs write to, how the writing goes; of another one,
    /// how the reading went.
    static func shown(isReadOnly: Bool, ids: RowIDs) -> [Bookkeeping] {
        let own: [Bookkeeping] = ids == .server ? [.id] : [.id, .serverID]
        return own + (isReadOnly ? [.rank, .fetched, .document] : [.state, .error, .added])
    }

    /// What a table has if its declaration names it: of a list that programs write to, both would be stored twice.
    static func offered(isReadOnly: Bool) -> [Bookkeeping] {
        isReadOnly ? [] : [.rank, .document]
    }

    /// The column's name if the declaration does not name it.
    public var standardName: String {
        switch self {
        case .added: "_added_at"
        case .fetched: "_fetched_at"
        case .id, .serverID, .state, .error, .rank, .document: "_\(rawValue)"
        }
    }
}
