internal import APIClient
internal import Declarations
internal import Store
internal import Text

/// The body of a write, or of a read by `POST`.
struct RowBody {
    let declaration: Declaration
    let row: RowValues
    /// The id at the server; nil for a row that has none yet.
    let id: String?

    init(declaration: Declaration, row: RowValues) {
        (self.declaration, self.row, id) = (declaration, row, row.serverID)
    }

    /// The body of a read: what it names of the row is what the server has.
    init(declaration: Declaration, read row: RowToRead) {
        self.declaration = declaration
        self.row = RowValues(serverID: nil, version: nil, values: row.values)
        id = row.serverID
    }

    /// A column's value and where it goes: names from the row's object down.
    private struct Field {
        let names: ArraySlice<String>
        let node: JSONNode
    }

    /// JSON without white space between its parts.
    func bytes(of template: BodyTemplate) throws(APIError) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(raw: try node(template).lines, to: &bytes)
        return bytes
    }

    private func node(_ template: BodyTemplate) throws(APIError) -> JSONNode {
        switch template {
        case .null: return JSONNode(.null)
        case .bool(let value): return .bool(value)
        case .text(let text): return .text(text)
        case .number(let text):
            guard JSONNumber.isOne(text) else {
                throw .invalidRequest("\(declaration.name): a number of the body is none of JSON")
            }
            return JSONNode(.number(text))
        case .list(let items):
            return JSONNode(
                .list(try items.map { item throws(APIError) in try node(item) }))
        case .object(let members):
            return .object(
                try members.map { member throws(APIError) in
                    (member.name, try node(member.value))
                })
        case .placeholder(let placeholder): return try node(placeholder)
        case .column(let name): return try node(ofColumn: name)
        }
    }

    /// The value that is sent of one column: null where a new row was given none. In an update, a column that
    /// stays as it is has the value that the server has shown. The table may show a later edit, which waits.
    private func node(ofColumn name: String) throws(APIError) -> JSONNode {
        if let text = row.changed[name] {
            return try value(text, of: name)
        }
        guard row.serverID != nil else {
            return try row.values[name].map { text throws(APIError) in try value(text, of: name) }
                ?? JSONNode(.null)
        }
        if declaration.referredColumn(name) != nil {
            return try row.known[name].map { text throws(APIError) in
                try RowRequest.node(text, of: name, in: declaration)
            } ?? JSONNode(.null)
        }
        guard let text = row.document else {
            throw .invalidRequest(
                "\(declaration.name): {\(name)} is due, and the row has no document yet")
        }
        try requireUnmended(text)
        let document = try RowRequest.node(text, of: "its document", in: declaration)
        return declaration.column(name)?.field?.path.find(in: document) ?? JSONNode(.null)
    }

    private func node(_ placeholder: BodyTemplate.Placeholder) throws(APIError) -> JSONNode {
        switch placeholder {
        case .row: return try nested(try fields(of: row.values) { $0.isForCreates })
        case .changed: return try changed()
        case .document: return try document()
        case .id:
            guard let id else {
                throw .invalidRequest(
                    "\(declaration.name): @id is due, and the row has no id at the server yet")
            }
            // As the server wrote it: syncd keeps both kinds of ids as text.
            guard let number = Int64(id), String(number) == id else { return .text(id) }
            return JSONNode(.number(id))
        }
    }

    /// What changes. Of a column below an object the whole member goes, as the server has shown it, with the change
    /// in its place: a server may merge what it is sent, or replace each member.
    private func changed() throws(APIError) -> JSONNode {
        let fields = try fields(of: row.changed) { $0.isForUpdates }
        let changed = try nested(fields)
        guard let text = row.document, fields.contains(where: { $0.names.count > 1 }),
            case .object(let members) = changed.value
        else { return changed }
        let document = try RowRequest.node(text, of: "its document", in: declaration)
        return .object(
            members.map { member in
                let below = fields.filter { $0.names.count > 1 && $0.names.first == member.key }
                guard !below.isEmpty, let known = document.member(member.key) else {
                    return (member.key, member.node)
                }
                return (
                    member.key,
                    below.reduce(known) { $0.setting($1.names.dropFirst(), to: $1.node) }
                )
            })
    }

    /// What nobody edited goes back as it was, or not at all.
    private func requireUnmended(_ document: String) throws(APIError) {
        guard BodyCheck.isMended(document) else { return }
        throw .bodyNotEncodable(
            "\(declaration.name): the server's row holds U+0000 or half a pair of surrogates, which syncd cannot"
                + " write back: correct the row at the server")
    }

    /// The document as the server has shown it, with what changes laid over it.
    private func document() throws(APIError) -> JSONNode {
        guard let text = row.document else {
            throw .invalidRequest("\(declaration.name): @document is due, and the row has none yet")
        }
        try requireUnmended(text)
        let document = try RowRequest.node(text, of: "its document", in: declaration)
            .without(declaration.each?.member)
        return try fields(of: row.changed) { $0.isForUpdates }.reduce(document) { node, field in
            node.setting(field.names, to: field.node)
        }
    }

    /// The columns that were given and may be, in the order of the table.
    private func fields(
        of values: [String: String], where isMeant: (Column.Writing) -> Bool
    ) throws(APIError) -> [Field] {
        var fields: [Field] = []
        // A part stands in the path.
        for column in declaration.columns where isMeant(column.writing) && !column.isPart {
            guard let text = values[column.name] else { continue }
            guard let names = column.writtenNames, !names.isEmpty else {
                throw noPlace(column.name)
            }
            fields.append(Field(names: names[...], node: try value(text, of: column.name)))
        }
        return fields
    }

    /// What is sent of a column. A column of JSON shows nothing but objects and lists. If anything else were sent,
    /// what a program wrote would be gone from the table afterwards.
    private func value(_ text: String, of column: String) throws(APIError) -> JSONNode {
        let node = try RowRequest.node(text, of: column, in: declaration)
        let type = declaration.column(column)?.field?.type
        // The server has the number in a text.
        if let type, type != type.plain, case .number(let text) = node.value { return .text(text) }
        guard type == .json else { return node }
        switch node.value {
        case .list, .object, .null: return node
        case .bool, .number, .text:
            throw .bodyNotEncodable(
                "\(declaration.name): the value of \(column) is neither an object nor a list of JSON"
            )
        }
    }

    /// An object with each value where its names lead, in the order in which they come.
    private func nested(_ fields: [Field]) throws(APIError) -> JSONNode {
        var order: [String] = []
        var groups: [String: [Field]] = [:]
        for field in fields {
            guard let name = field.names.first else { continue }
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(
                Field(names: field.names.dropFirst(), node: field.node))
        }
        var members: [(key: String, node: JSONNode?)] = []
        for name in order {
            let group = groups[name] ?? []
            guard let value = group.first(where: \.names.isEmpty) else {
                members.append((name, try nested(group)))
                continue
            }
            guard group.count == 1 else { throw noPlace(name) }
            members.append((name, value.node))
        }
        return .object(members)
    }

    /// The reader of declarations refuses such columns.
    private func noPlace(_ name: String) -> APIError {
        .invalidRequest("\(declaration.name): the body has no place of its own for \(name)")
    }
}

extension JSONNode {
    /// The node without the member of that name.
    fileprivate func without(_ name: String?) -> JSONNode {
        guard let name, case .object(let members) = value else { return self }
        return .object(members.filter { $0.key != name }.map { ($0.key, $0.node) })
    }

    /// What an object has under that name; nil for anything else.
    fileprivate func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == name }?.node
    }
}

/// The numbers of JSON.
///
/// Source: RFC 8259 §6.
enum JSONNumber {
    /// Whether `text` is one.
    static func isOne(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = takeDigits(of: &rest)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else {
            return false
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard !takeDigits(of: &rest).isEmpty else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
            guard !takeDigits(of: &rest).isEmpty else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(of rest: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }
}
