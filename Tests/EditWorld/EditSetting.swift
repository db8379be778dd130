import Declarations
import SQLite
import TestSupport

/// A column of the list, and the few values that it has: small domains meet each other.
struct EditField {
    let name: String
    /// How SQL and JSON write its values.
    let isText: Bool
    let values: [String?]

    static let all = [
        EditField(name: "title", isText: true, values: ["a", "b", "c", " a"]),
        EditField(name: "size", isText: false, values: ["0", "1", "11", nil]),
        EditField(name: "note", isText: true, values: ["p", "q ", nil]),
    ]

    /// `value` as JSON writes it. No value needs an escape.
    func json(_ value: String?) -> String {
        guard let value else { return "null" }
        return isText ? "\"\(value)\"" : value
    }

    func sql(_ value: String?) -> Value {
        isText ? .text(value) : .integer(value.flatMap { Int64($0) })
    }
}

/// What the list of a run is declared as. There are few: a process keeps a cache for each.
package struct EditDeclaration: Sendable, Hashable {
    /// Of the update.
    var method = WriteCall.Method.patch
    var rule = ConflictRule.theirs
    /// Updates and deletes name the version that they are about.
    var hasVersion = false
    /// Creates carry a mark, by which alone they are looked for.
    var hasMark = false
    var creates = true
    var deletes = true
    var fieldCount = 3
    /// A title never changes: ids are used again.
    var reusesIDs = false
    /// One row can be read instead of the list. It is never drawn with the rest: see ``EditAddition``.
    package var hasRead = false
    /// An update of the whole document is made of a read of its row.
    var reads: Bool { hasRead || method == .put }

    package static let all = [
        EditDeclaration(),
        EditDeclaration(hasVersion: true),
        EditDeclaration(method: .put),
        EditDeclaration(method: .put, hasVersion: true, fieldCount: 2),
        EditDeclaration(rule: .mine),
        EditDeclaration(method: .put, rule: .mine),
        EditDeclaration(method: .post, hasMark: true, fieldCount: 2),
        EditDeclaration(rule: .mine, hasVersion: true, hasMark: true),
        EditDeclaration(creates: false, deletes: false, fieldCount: 2),
        EditDeclaration(creates: false),
        EditDeclaration(deletes: false, fieldCount: 2),
        EditDeclaration(reusesIDs: true),
        EditDeclaration(method: .put, hasVersion: true, hasMark: true),
    ]

    var fields: [EditField] { Array(EditField.all.prefix(fieldCount)) }
    /// The columns that an update may name.
    var updatable: [Int] { Array(fields.indices.dropFirst(reusesIDs ? 1 : 0)) }

    /// The file.
    var text: String {
        let columns = fields.enumerated().map { index, field in
            let write = !creates ? "update" : updatable.contains(index) ? "both" : "create"
            let type = field.isText ? "text" : "integer"
            let more = index == 0 ? #", "required": true"# : ""
            return #"""
                "\#(field.name)": {"\#(type)": "$.\#(field.name)", "write": "\#(write)"\#(more)}
                """#
        }
        let version =
            #""version": "$.ver", "headers": {"If-Match": "{version}"}, "stale": [412]"#
        var update = [#""method": "\#(method.rawValue)""#]
        if method == .put { update.append(#""body": "@document""#) }
        if hasVersion { update.append(version) }
        return """
            {"list": "/notes", "rows": "$.rows", "id": "$.id", "interval": "1m", "pages": "none",
             "columns": {\((columns + (hasMark ? [#""mark": "text $.mark""#] : [])).joined(separator: ", "))},
             "create": \(creates), "update": {\(update.joined(separator: ", "))},
             "delete": \(deletes ? hasVersion ? "{\(version)}" : "true" : "false"),
             \(reads ? #""read": true, "# : "")\
             \(creates && hasMark ? #""once": {"column": "mark", "form": "hex"}, "# : "")\
            \(reusesIDs ? #""identity": ["id", "title"], "# : "")"conflict": "\(rule.rawValue)"}
            """
    }
}

/// What a run's server and network are like.
package struct EditSetting: Sendable, Hashable {
    package internal(set) var declaration: EditDeclaration
    /// Answers to updates have the row.
    let answersUpdates: Bool
    /// Answers to creates have the row.
    let answersCreates: Bool
    let alteration: Alteration
    let hasEntityTags: Bool
    let lanes: Int
    /// How many rows other clients have made before.
    let rows: Int
    /// Other clients write in this run.
    let hasOthers: Bool
    /// The list has a filter: rows that got this size are at the server, and not in it.
    var filteredSize: String?
    /// The machine starts anew in this run.
    var hasReboots = false

    /// How the server alters what it takes.
    enum Alteration {
        case none
        /// White space around texts goes.
        case trims
        /// Of a number the last digit stays, which nobody can foresee.
        case clamps
    }

    init(_ random: SeededRandom) {
        declaration = random.element(of: EditDeclaration.all) ?? EditDeclaration()
        answersUpdates = random.happens(70)
        answersCreates = random.happens(80)
        alteration = [.none, .none, .trims, .clamps][random.index(4)]
        hasEntityTags = random.happens(30)
        lanes = [1, 2, 4][random.index(3)]
        rows = declaration.creates ? random.index(4) : 1 + random.index(3)
        hasOthers = random.happens(65)
    }

    /// Whether the list has the row. A filter takes rows out that were changed: one that hides a new row leaves a
    /// create with a lost answer to be made again.
    func lists(_ row: EditServerRow) -> Bool {
        filteredSize == nil || row.values[1] != filteredSize || row.version == 1
    }

    /// `value` as the server keeps it.
    func kept(_ value: String?, of field: Int) -> String? {
        guard let value else { return nil }
        switch alteration {
        case .none: return value
        case .trims: return EditField.all[field].isText ? value.trimmed : value
        case .clamps: return EditField.all[field].isText ? value : String(value.suffix(1))
        }
    }
}

extension String {
    /// Without spaces around it.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Optional<String> {
    /// Equal but for what servers alter on the way, as syncd takes it.
    func isSame(as other: String?) -> Bool { self == other || self?.trimmed == other?.trimmed }
}
