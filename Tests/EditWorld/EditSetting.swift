import Declarations
import SQLite
import TestSupport

/// A column of the list, and the few values that it has: small domains meet each other.
struct EditField {
    /// How SQL and JSON write its values.
    enum Kind: String {
        case text, integer, json
    }

    let name: String
    let kind: Kind
    let values: [String?]

    /// The last one is only in lists of servers that spell values in many ways.
    static let all = [
        EditField(name: "title", kind: .text, values: ["a", "b", "c", " a"]),
        EditField(name: "size", kind: .integer, values: ["0", "1", "11", nil]),
        EditField(name: "note", kind: .text, values: ["p", "q ", nil]),
        EditField(
            name: "shape", kind: .json,
            values: [#"{"a":1,"b":"x"}"#, #"{"a":2,"b":"x"}"#, #"{"b":"y"}"#, nil]),
    ]

    var isText: Bool { kind == .text }

    /// `value` as JSON writes it. No value needs an escape.
    func json(_ value: String?) -> String {
        guard let value else { return "null" }
        return isText ? "\"\(value)\"" : value
    }

    func sql(_ value: String?) -> Value {
        kind == .integer ? .integer(value.flatMap { Int64($0) }) : .text(value)
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
    package var fieldCount = 3
    /// A title never changes: ids are used again.
    var reusesIDs = false
    /// One row can be read instead of the list. It is never drawn with the rest: see ``EditAddition``.
    package var hasRead = false
    /// The list shows rows that the table does not have, with a mark; see ``EditMarks``.
    package var hasWhile = false
    /// The size 1 and the note have a call of their own.
    package var hasActions = false
    /// A delete sends that mark.
    package var marksDeletes = false
    /// A full text and a history follow what programs write, and the table has the places and the documents.
    package var isFollowed = false
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

    private func updates(_ last: [String], _ version: String) -> String {
        let rest = "{\(last.joined(separator: ", "))}"
        guard hasActions else { return rest }
        let more = hasVersion ? ", \(version)" : ""
        var calls = [#"{"when": {"size": 1}, "path": "/notes/{id}/one"\#(more)}"#]
        if fieldCount > 2 {
            calls.append(
                #"""
                {"for": ["note"], "method": "PUT", "path": "/notes/{id}/note",
                 "body": {"note": "{note}"}\#(more)}
                """#)
        }
        return "[\((calls + [rest]).joined(separator: ", "))]"
    }

    private func delete(_ version: String) -> String {
        var members = marksDeletes ? [#""method": "PATCH", "body": {"out": true}"#] : []
        if hasVersion { members.append(version) }
        return members.isEmpty ? "true" : "{\(members.joined(separator: ", "))}"
    }

    var fields: [EditField] { Array(EditField.all.prefix(fieldCount)) }
    /// The columns that an update may name.
    var updatable: [Int] { Array(fields.indices.dropFirst(reusesIDs ? 1 : 0)) }

    /// The file.
    var text: String {
        let columns = fields.enumerated().map { index, field in
            let write = !creates ? "update" : updatable.contains(index) ? "both" : "create"
            let more = index == 0 ? #", "required": true"# : ""
            return #"""
                "\#(field.name)": {"\#(field.kind.rawValue)": "$.\#(field.name)", "write": "\#(write)"\#(more)}
                """#
        }
        let version =
            #""version": "$.ver", "headers": {"If-Match": "{version}"}, "stale": [412]"#
        let more =
            (hasMark ? [#""mark": "text $.mark""#] : [])
            + (isFollowed ? [#""place": "@rank", "whole": "@document""#] : [])
        var update = [#""method": "\#(method.rawValue)""#]
        if method == .put { update.append(#""body": "@document""#) }
        if hasVersion { update.append(version) }
        return """
            {"list": "/notes", "rows": "$.rows", "id": "$.id", "interval": "1m", "pages": "none",
             "columns": {\((columns + more).joined(separator: ", "))},
             "create": \(creates), "update": \(updates(update, version)),
             "delete": \(deletes ? delete(version) : "false"),
             \(hasWhile ? #""while": {"$.out": false},"# : "")
             \(reads ? #""read": true, "# : "")\(isFollowed ? #""search": ["title"], "history": "title", "# : "")\
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
    private(set) var alteration: Alteration
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
    /// That a row is not there it says in a success; see ``EditMarks``.
    var refusesInSuccess = false
    /// What the server says that is not so.
    private(set) var unkindness = EditUnkindnesses()
    /// For what is drawn about its server beside requests.
    let seed: UInt64

    /// How the server alters what it takes.
    enum Alteration {
        case none
        /// White space around texts goes.
        case trims
        /// That, and of white space within them one space stays.
        case folds
        /// Of a number the last digit stays, which nobody can foresee.
        case clamps
    }

    init(seed: UInt64, _ random: SeededRandom) {
        self.seed = seed
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
        filteredSize == nil || row.values[1] != filteredSize
            || row.version == 1 && !(declaration.hasWhile && declaration.hasMark)
    }

    /// `value` as the server keeps it.
    func kept(_ value: String?, of field: Int) -> String? {
        guard let value else { return nil }
        switch alteration {
        case .none: return value
        case .trims: return EditField.all[field].isText ? value.trimmed : value
        case .folds: return EditField.all[field].isText ? value.folded : value
        case .clamps:
            return EditField.all[field].kind == .integer ? String(value.suffix(1)) : value
        }
    }
}

extension EditSetting {
    /// What a server sets that sets a column of each new row.
    static let derived = (field: 2, value: "set")

    /// Takes in how unkind the server is.
    mutating func take(_ unkindness: EditUnkindnesses) {
        self.unkindness = unkindness
        if unkindness.has(.folds), alteration == .trims { alteration = .folds }
    }

    /// Takes it out again.
    mutating func leave(_ one: EditUnkindness) { unkindness = unkindness.without(one) }

    /// The values that people give a field.
    func values(of field: Int) -> [String?] {
        let values = EditField.all[field].values
        guard unkindness.has(.folds), EditField.all[field].isText else { return values }
        return values + ["a b", "a  b", " a"]
    }

    /// Equal, as far as the laws of this run have it. Where white space counts, nothing else is equal.
    func isSame(_ one: String?, _ other: String?) -> Bool {
        unkindness.has(.folds) ? one == other : one.isSame(as: other)
    }
}

extension String {
    /// Without spaces around it, and with one for many.
    var folded: String {
        split(separator: " ").joined(separator: " ")
    }

    /// Without spaces around it.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Optional<String> {
    /// Equal but for what servers alter on the way, as syncd takes it.
    func isSame(as other: String?) -> Bool { self == other || self?.trimmed == other?.trimmed }
}
