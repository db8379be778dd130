import SQLite

/// A statement of a program, and what it does to the model.
struct ProgramStatement {
    let sql: String
    let values: [Value]
    let effect: (inout Model) throws -> Void
    /// A row that it is about, if it names one.
    private(set) var row: Int64?

    /// A statement by chance. `latest`: the row that the last one was about.
    init(_ random: inout SeededGenerator, on model: Model, latest: Int64) {
        let conflicts: [Model.Conflict] = [.abort, .abort, .replace, .ignore, .fail, .rollback]
        let conflict = random.element(of: conflicts)
        let isPlain = conflict == .abort && random.happens(70)
        let clause = isPlain ? "" : " OR \(conflict.rawValue)"
        let returning = random.happens(30) ? " RETURNING id" : ""
        let row = Self.id(&random, on: model, latest: latest)
        switch random.number(0...99) {
        case ..<40: self = .insert(&random, row, on: model, conflict, clause, returning)
        case ..<75: self = .update(&random, row, clause, returning)
        default: self = .delete(&random, row, on: model, returning)
        }
        self.row = model.rows[row] == nil ? nil : row
    }

    private init(sql: String, values: [Value], effect: @escaping (inout Model) throws -> Void) {
        self.sql = sql
        self.values = values
        self.effect = effect
    }

    /// An id that is there, is new, was used or cannot be.
    private static func id(
        _ random: inout SeededGenerator, on model: Model, latest: Int64
    ) -> Int64 {
        if random.happens(40) { return latest }
        guard !random.happens(3) else {
            return random.element(of: [0, -1, 1 << 52, .max])
        }
        let last = model.largestID
        return random.element(of: model.ids + [last + 1, last + 3, max(1, last - 1)])
    }

    private static func value(
        _ field: Field, _ random: inout SeededGenerator, wrong percent: Int
    ) -> Value {
        if random.happens(percent) { return field.wrong }
        // Programs know of rows that the server does not have.
        if field == .book, random.happens(30) { return .integer(Int64(random.number(1...7))) }
        return random.element(of: field.usual)
    }

    // MARK: INSERT

    private static func insert(
        _ random: inout SeededGenerator, _ row: Int64, on model: Model,
        _ conflict: Model.Conflict, _ clause: String, _ returning: String
    ) -> Self {
        let count = random.element(of: [1, 1, 2, 3])
        var fields = random.some(of: Field.written)
        if !fields.contains(.title), random.happens(90) { fields.insert(.title, at: 0) }
        let givesID = random.happens(60)
        let givesState = random.happens(5)
        let rows = (0..<count).map { _ in
            let id = givesID && random.happens(85) ? Self.id(&random, on: model, latest: row) : nil
            return Model.NewRow(
                id: id,
                fields: Fields(
                    uniqueKeysWithValues: fields.map { ($0, value($0, &random, wrong: 2)) }),
                givesState: givesState)
        }
        var upsert: Model.Upsert?
        if conflict == .abort {
            let set = random.some(of: fields)
            upsert = random.element(of: [nil, nil, .nothing, .update(set)])
        }
        let columns =
            (givesID ? ["id"] : []) + fields.map(\.rawValue) + (givesState ? ["_state"] : [])
        let places = columns.map { $0 == "_state" ? "'synced'" : "?" }.joined(separator: ", ")
        let source =
            random.happens(60)
            ? "VALUES " + Array(repeating: "(\(places))", count: count).joined(separator: ", ")
            : Array(repeating: "SELECT \(places)", count: count).joined(separator: " UNION ALL ")
                + (upsert == nil ? "" : " WHERE true")
        return Self(
            sql: "INSERT\(clause) INTO notes (\(columns.joined(separator: ", "))) \(source)"
                + (upsert?.sql ?? "") + returning,
            values: rows.flatMap { row in
                (givesID ? [.integer(row.id)] : []) + fields.map { row.fields.value($0) }
            },
            effect: { model in
                for row in rows { try model.insert(row, conflict, upsert) }
            })
    }

    // MARK: UPDATE and DELETE

    /// Which rows a statement is about.
    private struct Place {
        let sql: String
        let values: [Value]
        let holds: (Int64, ModelRow) -> Bool

        func ids(in model: Model) -> [Int64] {
            model.shownIDs.filter { id in model.rows[id].map { holds(id, $0) } ?? false }
        }
    }

    private static func place(
        _ random: inout SeededGenerator, _ id: Int64, isOne: Bool
    ) -> Place {
        let title = random.element(of: Field.title.usual)
        return switch isOne ? 0 : random.number(0...4) {
        case ...1: Place(sql: "notes.id = ?", values: [.integer(id)]) { row, _ in row == id }
        case 2:
            Place(sql: "notes.id % 2 = ?", values: [.integer(id % 2)]) { row, _ in
                row % 2 == id % 2
            }
        case 3: Place(sql: "true", values: []) { _, _ in true }
        case _:
            Place(sql: "notes.title = ?", values: [title]) { _, row in row.shown(.title) == title }
        }
    }

    private static func update(
        _ random: inout SeededGenerator, _ row: Int64, _ clause: String, _ returning: String
    ) -> Self {
        let place = place(&random, row, isOne: false)
        let head = "UPDATE\(clause) notes SET"
        switch random.number(0...99) {
        case ..<4:
            return Self(sql: "\(head) id = id + 1000 WHERE \(place.sql)", values: place.values) {
                model in
                if !place.ids(in: model).isEmpty { throw Refusal(.id) }
            }
        case ..<8:
            return Self(
                sql: "\(head) _state = 'synced' WHERE \(place.sql)", values: place.values
            ) { model in
                let states = place.ids(in: model).compactMap { model.rows[$0]?.state }
                if !states.allSatisfy({ $0 == "synced" }) { throw Refusal(.bookkeeping) }
            }
        case ..<20:
            return Self(
                sql: """
                    \(head) body = other.title FROM (SELECT id, title FROM notes) AS other \
                    WHERE other.id = notes.id AND \(place.sql)
                    """, values: place.values
            ) { model in
                for id in place.ids(in: model) {
                    try model.update(id, [.body: model.rows[id]?.shown(.title) ?? .null])
                }
            }
        case let kind: return edit(&random, at: place, head, returning, isStale: kind < 30)
        }
    }

    /// `isStale`: it also writes bookkeeping, as a program does that writes the whole row that it once read.
    private static func edit(
        _ random: inout SeededGenerator, at place: Place, _ head: String, _ returning: String,
        isStale: Bool
    ) -> Self {
        let fields = random.some(of: Field.written)
        let values = fields.map { value($0, &random, wrong: 3) }
        let new = Fields(uniqueKeysWithValues: zip(fields, values))
        let set = fields.map { "\($0.rawValue) = ?" }.joined(separator: ", ")
        let staleState = Operation.State.inDoubt.rawValue
        let stale = isStale ? ", changed = 'stale', _state = '\(staleState)'" : ""
        return Self(
            sql: "\(head) \(set)\(stale) WHERE \(place.sql)\(returning)",
            values: values + place.values
        ) { model in
            for id in place.ids(in: model) {
                if isStale, let row = model.rows[id],
                    new.allSatisfy({ row.shown($0.key) == $0.value })
                {
                    // The bookkeeping may be what the row has already: then nothing is written.
                    if row.hasStaleColumn, row.state == staleState { continue }
                    throw Refusal(.bookkeeping)
                }
                try model.update(id, new)
                if isStale { model.change(id) { $0.hasStaleColumn = true } }
            }
        }
    }

    private static func delete(
        _ random: inout SeededGenerator, _ row: Int64, on model: Model, _ returning: String
    ) -> Self {
        let place = place(&random, row, isOne: model.setting.isBusy)
        // Without a condition SQLite would truncate a table that has no triggers.
        let condition = place.sql == "true" ? "" : " WHERE \(place.sql)"
        return Self(sql: "DELETE FROM notes\(condition)\(returning)", values: place.values) {
            model in
            for id in place.ids(in: model) { model.delete(id) }
        }
    }

    /// For a trace.
    var shown: String {
        values.isEmpty ? sql : "\(sql) [\(values.map(\.shown).joined(separator: ", "))]"
    }
}

extension Model.Upsert {
    fileprivate var sql: String {
        switch self {
        case .nothing: return " ON CONFLICT DO NOTHING"
        case .update(let fields):
            let set = fields.map { "\($0.rawValue) = excluded.\($0.rawValue)" }
            return " ON CONFLICT (id) DO UPDATE SET \(set.joined(separator: ", "))"
        }
    }
}
