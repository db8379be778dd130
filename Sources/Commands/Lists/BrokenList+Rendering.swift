internal import Configuration
internal import Declarations
internal import Rendering
internal import Text

extension PlainReference {
    /// The name of its list, what is dangerous, and what to do about it.
    var remark: String { Sentence.joined("\(list): \(description)", hint) }

    var json: JSONValue {
        [
            "list": .string(list.text), "column": .string(column), "of": .string(other.text),
            "hint": .string(hint),
        ]
    }
}

extension BrokenList {
    /// The list, if the file has the name of one.
    var list: ListName? { try? ListName(name) }

    /// What a person has to know.
    var problem: String { "this list is not synced: \(error)" }

    /// The same with the name of the list, and what to do about it.
    var remark: String { Sentence.joined("\(ForeignText(name)): \(problem)", error.hint) }

    var json: JSONValue {
        [
            "list": .string(name), "error": .string(error.description),
            "hint": .string(error.hint),
        ]
    }
}
