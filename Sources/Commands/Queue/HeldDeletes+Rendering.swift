internal import Rendering
internal import Store
internal import SyncEngine
internal import Text

extension HeldDeletes {
    /// What a person has to know, and what to do about it.
    var remark: String { Sentence.joined("\(list): \(problem)", hint) }

    var json: JSONValue {
        [
            "list": .string(list), "deletes": .integer(count), "rows": .integer(rows),
            "hint": .string(hint),
        ]
    }
}
