/// A list of a server, and the table that syncd makes of it.
///
/// A value that was checked as a whole: its names are known, and its limits are kept.
public struct Declaration: Sendable, Hashable {
    /// The name of the table.
    public let name: ListName
    /// Whether it is synced.
    public let isEnabled: Bool
    /// The name in the section `servers`; nil: the file describes its server itself.
    public let server: String?
    /// The path below the base URL, with a query or not; it begins with `/`.
    public let list: String
    /// What it is asked with, if it is read by `POST`; nil: it is read by `GET`.
    public let listBody: ListBody?
    /// How it is read in parts; nil: it is one list.
    public let each: Each?
    /// Where the list stands in an answer.
    public let rows: JSONPath
    /// Whether the rows are the members of an object there, each under its name; false: the elements of a list.
    public let rowsAreMembers: Bool
    /// What holds for each row of the table; nil: every row that the list shows is one.
    public let condition: RowCondition?
    /// Where a row's id stands in the row.
    public let id: JSONPath
    /// Which number a row has in the table.
    public let ids: RowIDs
    /// How a list in several answers is read.
    public let paging: Paging
    /// How only what has changed is asked for; nil: each pull asks for the whole list.
    public let since: Since?
    /// The time from one pull to the next.
    public let interval: Duration
    /// Every column of the table, in its order, bookkeeping included.
    public internal(set) var columns: [Column]
    /// The columns in the full text, the most important first; empty: there is none.
    public let search: [String]
    /// The column whose changes the history keeps beside rows that come and go; nil: there is no history.
    public let history: String?
    /// The column that names a row to a person; nil: the declaration does not say.
    public let label: String?
    /// The calls that change rows. An update takes what none of ``actions`` takes.
    public let calls: [WriteCall.Kind: WriteCall]
    /// The updates that make some changes alone, the first one before all others.
    public let actions: [WriteCall]
    /// The call that shows one row; nil: there is none.
    public let read: ReadCall?
    /// How a create whose answer was lost is told from one that did not arrive.
    public let once: Once
    /// The columns by which such a create is looked for.
    public let match: [String]
    /// What makes a row that row: columns, and `id` for the id at the server.
    public let identity: [String]
    /// Who wins if two change one field.
    public let conflict: ConflictRule

    /// The columns that every create has.
    static func usualMatch(of columns: [Column], _ calls: [WriteCall.Kind: WriteCall]) -> [String] {
        guard calls[.create] != nil else { return [] }
        return columns.filter { $0.isRequired && $0.writing.isForCreates }.map(\.name)
    }

    /// Whether both have the same table, whatever else they say of the list and its server.
    package func hasTable(of other: Declaration) -> Bool {
        name == other.name && columns == other.columns && id == other.id && ids == other.ids
            && condition == other.condition
            && search == other.search && history == other.history && label == other.label
            && match == other.match
            && identity == other.identity && each?.name == other.each?.name
            && each?.parts == other.each?.parts && calls == other.calls
            && actions == other.actions && once == other.once
    }

    /// Whether a column has its values from reads of single rows alone.
    public var hasColumnsFromReads: Bool { columns.contains(where: \.isFromReads) }

    /// Whether a program can edit such a column: only a read tells of another's change of it.
    public var editsColumnsFromReads: Bool {
        columns.contains { $0.isFromReads && $0.writing.isForUpdates }
    }

    /// Whether an update turns a value into the other one: it goes only right after a read of the row.
    public var turnsValues: Bool { actions.contains { $0.action?.isToggle ?? false } }

    /// Whether an update sends values of the row that nobody has edited: they have to be those that the server has.
    public var updateRepeatsValues: Bool {
        updates.contains(where: repeatsValues)
    }

    private func repeatsValues(_ call: WriteCall) -> Bool {
        guard let body = call.body else { return false }
        let placeholders = body.placeholders
        let updatable = columns.filter { column in
            column.writing.isForUpdates && (call.action?.columns.contains(column.name) ?? true)
        }
        if placeholders.contains(.document) { return true }
        if placeholders.contains(.changed),
            updatable.contains(where: { ($0.writtenNames ?? []).count > 1 })
        {
            return true
        }
        // A column that alone can be edited is edited in each update.
        return body.columns.contains { updatable.map(\.name) != [$0] }
    }

    /// The column of this name.
    public func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// The column that shows `kind`; nil where the table has none.
    public func column(of kind: Bookkeeping) -> Column? {
        columns.first { $0.bookkeeping == kind }
    }

    /// The columns by which a path or a header field of a call names a row that is at the server, in their order.
    public var addressingColumns: [Column] {
        var templates = (updates + [calls[.delete]].compactMap { $0 }).flatMap { call in
            [call.path] + call.headers.map(\.value)
        }
        if let read { templates.append(read.path) }
        let names = Set(templates.flatMap(\.columns) + (read?.body?.columns ?? []))
        return columns.filter { $0.field != nil && names.contains($0.name) }
    }

    /// Whether programs may only read it.
    public var isReadOnly: Bool { calls.isEmpty && actions.isEmpty }

    /// Every call that changes a row which is there, in the order in which they are tried.
    public var updates: [WriteCall] { actions + [calls[.update]].compactMap { $0 } }

    /// The call for a change of columns to these values, each as JSON text, and which of them it takes; nil where no call
    /// takes any. What it leaves goes by another one.
    package func update(
        of changed: [String: String]
    ) -> (call: WriteCall, takes: Set<String>)? {
        let given = Set(changed.keys)
        if let call = actions.first(where: { $0.action?.takes(changed) ?? false }) {
            return (call, given.intersection(call.action?.columns ?? []))
        }
        guard let call = calls[.update] else { return nil }
        // What an action takes whatever else changes is its own.
        let others = Set(
            actions.compactMap(\.action).filter(\.values.isEmpty).flatMap(\.columns))
        return (call, given.subtracting(others))
    }

    /// The calls of one kind.
    public func calls(of kind: WriteCall.Kind) -> [WriteCall] {
        kind == .update ? updates : [calls[kind]].compactMap { $0 }
    }
}
