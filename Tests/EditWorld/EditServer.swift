import APIClient
import Text

/// A row of the server, which knows who wrote each of its fields.
struct EditServerRow {
    enum Author: Hashable {
        case other
        /// Which row of the cache it came from.
        case ours(Int64)
    }

    let id: Int
    /// Tells it from other rows that had its id.
    let instance: Int
    let origin: Author
    let mark: String?
    var values: [String?]
    var authors: [Author]
    var version = 1
}

/// What syncd sent, and what it knew when it did.
struct EditShipment {
    let operation: EditImage.Operation
    /// By field, the edits that it carries.
    let edits: [Int: Int]
    let base: [String?]?
    let seenAtDelete: [[String?]]?
    /// The row of the server that it is meant for.
    let instance: Int?
    /// When this cycle's list was made, or the answer that showed the row.
    let listed: Int
    /// When syncd wrote down that it would send it, on the clock of the run.
    let intent: Int64
}

/// A request that is on its way.
struct EditLateRequest {
    let request: HTTPRequest
    let shipment: EditShipment
    var until: Int64 { shipment.intent + 2 * EditWorld.timeout - 1 }
}

/// A server with a version and an author for every field. What it is asked to do is judged at that moment.
struct EditServer {
    /// Another client's write of a field.
    struct Write {
        let moment: Int
        let instance: Int
        let field: Int
    }

    /// An edit that took effect, and what syncd had known of the field.
    struct Effect {
        let moment: Int
        let known: String?
    }

    let setting: EditSetting
    var rows: [EditServerRow] = []
    private var lastID = 0
    private var instances = 0
    /// Rises with everything that happens.
    private(set) var moment = 0
    private(set) var writes: [Write] = []
    var effects: [Int: [Effect]] = [:]
    /// How many rows the create of a row of the cache has made, but for those that others have deleted.
    var creations: [Int64: Int] = [:]
    /// The id and the title that a row was made with: what it is told by where ids are used again.
    private var identities: [Int: String] = [:]
    /// Rows that other clients have deleted.
    private(set) var removed: Set<Int> = []

    init(_ setting: EditSetting) { self.setting = setting }

    mutating func tick() -> Int {
        moment += 1
        return moment
    }

    func index(of id: Int) -> Int? { rows.firstIndex { $0.id == id } }

    /// Adds a row with `values`, as they come.
    mutating func create(
        _ values: [String?], by author: EditServerRow.Author, mark: String? = nil
    ) -> EditServerRow {
        let id =
            setting.declaration.reusesIDs ? (rows.map(\.id).max() ?? 0) + 1 : lastID + 1
        lastID = id
        instances += 1
        let row = EditServerRow(
            id: id, instance: instances, origin: author, mark: mark,
            values: values.enumerated().map { setting.kept($1, of: $0) },
            authors: values.map { _ in author })
        rows.append(row)
        identities[row.instance] = "\(id) \(row.values[0]?.trimmed ?? "")"
        return row
    }

    /// Whether nothing tells the two rows apart.
    func isAlike(_ one: Int, _ other: Int?) -> Bool {
        setting.declaration.reusesIDs && identities[one] == other.flatMap { identities[$0] }
    }

    /// Another client sets a field.
    mutating func edit(_ index: Int, _ field: Int, to value: String?) {
        rows[index].values[field] = value
        rows[index].authors[field] = .other
        rows[index].version += 1
        writes.append(Write(moment: tick(), instance: rows[index].instance, field: field))
    }

    /// Another client deletes a row.
    mutating func delete(_ index: Int) {
        removed.insert(rows[index].instance)
        if case .ours(let maker) = rows[index].origin { creations[maker, default: 0] -= 1 }
        rows.remove(at: index)
    }

    /// The last write of another client to a field of a row.
    func lastWrite(_ instance: Int, _ field: Int) -> Int? {
        writes.last { $0.instance == instance && $0.field == field }?.moment
    }

    // MARK: On the wire

    func json(_ row: EditServerRow) -> String {
        let mark = row.mark.map { "\"\($0)\"" } ?? "null"
        return text(row, more: setting.declaration.hasMark ? ",\"mark\":\(mark)" : "")
    }

    /// For the trace: no two runs have the same marks.
    func text(_ row: EditServerRow, more: String = "") -> String {
        let fields = setting.declaration.fields.enumerated().map { index, field in
            "\"\(field.name)\":\(field.json(row.values[index]))"
        }
        return "{\"id\":\(row.id),\(fields.joined(separator: ","))\(more),\"ver\":\(row.version)}"
    }

    /// The values that a body names, by field.
    func values(in body: [UInt8]) -> (fields: [Int: String?], mark: String?) {
        var values: [Int: String?] = [:]
        var mark: String?
        guard let node = try? JSONReader.read(body, maxDepth: 8),
            case .object(let members) = node.value
        else { return (values, nil) }
        for member in members {
            let value: String? =
                switch member.node.value {
                case .text(let text), .number(let text): text
                case .null, .bool, .list, .object: nil
                }
            if member.key == "mark" { mark = value }
            if let field = setting.declaration.fields.firstIndex(where: { $0.name == member.key }) {
                values[field] = .some(value)
            }
        }
        return (values, mark)
    }
}
