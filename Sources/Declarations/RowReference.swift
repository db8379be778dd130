/// What a column of rows refers to: a row of another list, or of the same one.
///
/// The document names that row as the server does, by its id or by another field of it. The column shows its local
/// number, which never changes.
public struct RowReference: Sendable, Hashable {
    /// The list that it refers to.
    public let list: ListName
    /// The column of that list whose value stands in the document; nil: the id does.
    public let column: String?
    /// How that list keeps its rows; nil as long as its declaration is not known.
    public internal(set) var target: Target?

    /// What the SQL of a reference needs to know of the list that it refers to.
    public struct Target: Sendable, Hashable {
        /// Whether programs only read it.
        public let isReadOnly: Bool
        /// Which number its rows have.
        public let ids: RowIDs
        /// Where its rows have what the document names.
        public let path: JSONPath
        /// Its column of local numbers.
        public let id: String
        /// Its column of the server's ids.
        public let serverID: String
        /// Its column of documents, where it has one.
        public let document: String
        /// Its columns that calls of the referring list name, by their names.
        public let fields: [String: Field]
    }

    /// As a declaration has it: `projects`, or `issues.number`.
    public var description: String { list.text + (column.map { ".\($0)" } ?? "") }

    /// A row of this list, by its id.
    init(_ list: ListName) { (self.list, column) = (list, nil) }

    /// A list, or a column of one, that is not looked up yet; nil where `text` can be neither.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard let name = parts.first,
            name == ListName.todos.text || name == ListName.movies.text
                || (try? ListName(name)) != nil
        else { return nil }
        list = ListName(kept: name)
        column = parts.count == 2 ? parts[1] : nil
        if column?.isEmpty == true { return nil }
    }
}

/// Why a reference leads nowhere.
public enum RowReferenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No list has this name.
    case noList(column: String, ListName)
    /// The list has no such column, or one that programs can change.
    case noColumn(column: String, RowReference)
    /// A call names a column of the list that it does not have, or that is no text and no integer.
    case noField(ReferredColumn, of: ListName)
    /// The list has no such field, which asks for a part when it changes.
    case nothingToWatch(String, of: ListName)
    /// The list is of another server, or of another account there.
    case otherServer(column: String, ListName)

    /// The column, and what is wrong with it, on one line.
    public var description: String {
        switch self {
        case .noList(let column, let list):
            "columns.\(column) refers to \(list), and no list that is synced has this name"
        case .noColumn(let column, let reference):
            "columns.\(column) refers to \(reference.description), which is no field that stays as the server gave it"
        case .noField(let name, let list):
            "a call has {\(name)}, and \(list) has no column \(name.name) of text or of integers"
        case .nothingToWatch(let name, let list):
            "each.changed has \(name), and \(list) has no such column"
        case .otherServer(let column, let list):
            "columns.\(column) refers to \(list), which is a list of another server or account"
        }
    }

    /// What to do next.
    public var hint: String {
        switch self {
        case .noList: "Declare that list, or correct \"of\"."
        case .noColumn:
            "Name a column of text or of integers that programs do not change, or the list alone for its id."
        case .noField(_, let list): "Name another column of \(list), or remove the place."
        case .nothingToWatch(_, let list): "Name a field of \(list), or remove it."
        case .otherServer: "Name a list of the same server, or make the column a plain one."
        }
    }
}

extension Declaration {
    /// The columns that refer to rows, in their order.
    public var references: [Column] { columns.filter { $0.reference != nil } }

    /// The lists that its rows refer to, and those that theirs do, without this one.
    public func referredTo(among lists: [Declaration]) -> [Declaration] {
        var found: [Declaration] = []
        var open = references
        while let next = open.popLast()?.reference?.list {
            guard next != name, !found.contains(where: { $0.name == next }),
                let list = lists.first(where: { $0.name == next })
            else { continue }
            found.append(list)
            open += list.references
        }
        return found
    }

    /// The same with each reference looked up among `lists`, of which this one need not be.
    public func referring(to lists: [Declaration]) throws(RowReferenceError) -> Declaration {
        guard !references.isEmpty else { return self }
        var found = self
        for (index, column) in columns.enumerated() {
            guard let reference = column.reference else { continue }
            let target = reference.list == name ? self : lists.first { $0.name == reference.list }
            guard let target else { throw .noList(column: column.name, reference.list) }
            var fields: [String: RowReference.Field] = [:]
            for name in referredNames(by: column.name) + (column.isPart ? partNames : []) {
                guard let field = target.referredField(name.name) else {
                    throw .noField(name, of: reference.list)
                }
                fields[name.name] = field
            }
            for name in column.isPart ? each?.changed ?? [] : [] {
                guard let field = target.column(name)?.field else {
                    throw .nothingToWatch(name, of: reference.list)
                }
                fields[name] = RowReference.Field(type: field.type, path: field.path)
            }
            guard let known = target.asTarget(of: reference.column, fields) else {
                throw .noColumn(column: column.name, reference)
            }
            found.columns[index].reference?.target = known
        }
        return found
    }

    /// Nil for a column that no path can name: none, another reference, or JSON.
    private func referredField(_ name: String) -> RowReference.Field? {
        guard let field = column(name)?.field,
            [.text, .integer, .integerText].contains(field.type)
        else { return nil }
        return RowReference.Field(type: field.type, path: field.path)
    }

    private func asTarget(
        of column: String?, _ fields: [String: RowReference.Field]
    ) -> RowReference.Target? {
        var path = id
        if let column {
            guard let named = self.column(column), !named.writing.isForUpdates,
                let field = named.field, field.type == .text || field.type == .integer
            else { return nil }
            path = field.path
        }
        func name(_ kind: Bookkeeping) -> String {
            self.column(of: kind)?.name ?? kind.standardName
        }
        return RowReference.Target(
            isReadOnly: isReadOnly, ids: ids, path: path, id: name(.id),
            serverID: name(ids == .server ? .id : .serverID), document: name(.document),
            fields: fields)
    }
}
