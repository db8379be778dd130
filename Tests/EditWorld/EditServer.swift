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
    /// The server has said that it will do it, at this moment.
    var promised: Int64?
    /// How it is done.
    let manner: EditManner

    var until: Int64 { promised ?? shipment.intent + 2 * EditWorld.timeout - 1 }
}

/// What a server had at a moment.
struct EditSnapshot {
    /// In milliseconds, on the clock of the run.
    let time: Int64
    /// Among everything that happened.
    let moment: Int
    let rows: [EditServerRow]
    /// Rows that were deleted, where they are shown with a mark.
    var marked: [EditServerRow] = []
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
    var rows: [EditServerRow] = [] {
        didSet { hasChanged = true }
    }
    /// Rows that were deleted, and that are shown with a mark.
    private(set) var marked: [EditServerRow] = []
    private var hasChanged = false
    /// What it had before, the newest last.
    private var past: [EditSnapshot] = []
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
    /// Rows that deletes of ours have taken away, and when, among everything that happened.
    private(set) var deletedAt: [Int: Int] = [:]
    var deleted: Set<Int> { Set(deletedAt.keys) }
    /// Writes of others whose values came in the answer to our own write of the field.
    var forms: Set<Int> = []

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
        var row = EditServerRow(
            id: id, instance: instances, origin: author, mark: mark,
            values: values.enumerated().map { setting.kept($1, of: $0) },
            authors: values.map { _ in author })
        if setting.unkindness.happens(.derives, at: setting.seed &+ UInt64(row.instance)) {
            row.values[EditSetting.derived.field] = EditSetting.derived.value
        }
        rows.append(row)
        marked.removeAll { $0.id == id }
        identities[row.instance] = "\(id) \(row.values[0]?.trimmed ?? "")"
        return row
    }

    /// Whether nothing tells the two rows apart.
    func isAlike(_ one: Int, _ other: Int?) -> Bool {
        setting.declaration.reusesIDs && identities[one] == other.flatMap { identities[$0] }
    }

    /// Whether the row is known by this title, where ids are used again.
    func isIdentity(_ title: String?, of instance: Int) -> Bool {
        guard let identity = identities[instance] else { return false }
        return identity.hasSuffix(" \(title?.trimmed ?? "")")
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
        take(index)
    }

    private mutating func take(_ index: Int) {
        let row = rows.remove(at: index)
        if setting.declaration.hasWhile { marked.append(row) }
    }

    /// A delete of ours takes a row away.
    mutating func deleteOurs(_ index: Int) {
        deletedAt[rows[index].instance] = tick()
        take(index)
    }

    /// How many rows have had the id of a row, one after another.
    func holders(likeThatOf instance: Int) -> Int {
        identities[instance]?.split(separator: " ").first.map { holders(of: String($0)) } ?? 0
    }

    /// How many rows have had the id, one after another.
    func holders(of id: String) -> Int {
        identities.values.count { $0.hasPrefix("\(id) ") }
    }

    /// The last write of another client to a field of a row.
    func lastWrite(_ instance: Int, _ field: Int) -> Int? {
        writes.last { $0.instance == instance && $0.field == field }?.moment
    }

    // MARK: Replicas and caches

    /// Remembers what it has, before time goes on.
    mutating func remember(at time: Int64) {
        guard hasChanged || past.isEmpty else { return }
        hasChanged = false
        past.append(EditSnapshot(time: time, moment: moment, rows: rows, marked: marked))
        if past.count > 300 { past.removeFirst(100) }
    }

    /// What it had at `time`, as a replica shows it that lags.
    mutating func snapshot(at time: Int64, now: Int64) -> EditSnapshot {
        let old = past.last { $0.time <= time } ?? past.first
        guard time < now, let old else {
            return EditSnapshot(time: now, moment: tick(), rows: rows, marked: marked)
        }
        return old
    }

    // MARK: On the wire

    /// The members of a row; of its fields `only` these.
    func members(
        _ row: EditServerRow, _ spelling: EditSpelling, only fields: Set<Int>? = nil,
        isOut: Bool = false
    ) -> [(name: String, json: String)] {
        var members = [(name: "id", json: "\(row.id)")]
        for (index, field) in setting.declaration.fields.enumerated()
        where fields?.contains(index) ?? true {
            members.append((field.name, spelling.json(row.values[index], of: field)))
        }
        if setting.declaration.hasMark {
            members.append(("mark", row.mark.map { "\"\($0)\"" } ?? "null"))
        }
        members.append(("ver", "\(row.version)"))
        if setting.declaration.hasWhile, isOut || !setting.lists(row) {
            members.append(("out", "true"))
        }
        return members
    }

    /// For the trace: no two runs have the same marks.
    func text(_ row: EditServerRow) -> String {
        let fields = setting.declaration.fields.enumerated().map { index, field in
            "\"\(field.name)\":\(field.json(row.values[index]))"
        }
        return "{\"id\":\(row.id),\(fields.joined(separator: ",")),\"ver\":\(row.version)}"
    }

    /// Whether the request deletes a row: by its method, or by the mark that it sends.
    func isDelete(_ request: HTTPRequest) -> Bool {
        let isMark = String(decoding: request.body ?? [], as: UTF8.self) == #"{"out":true}"#
        return request.method == .delete || setting.declaration.marksDeletes && isMark
    }

    /// The values that an update names, by field: a call of its own has one in its path.
    func values(of request: HTTPRequest) -> [Int: String?] {
        request.target.hasSuffix("/one")
            ? [1: "1"] : values(in: request.body ?? []).fields
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
                case .text(let text): text
                case .number, .object: EditValue.json(member.node)
                case .null, .bool, .list: nil
                }
            if member.key == "mark" { mark = value }
            if let field = setting.declaration.fields.firstIndex(where: { $0.name == member.key }) {
                values[field] = .some(value)
            }
        }
        return (values, mark)
    }
}
