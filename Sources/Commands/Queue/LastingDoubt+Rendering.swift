internal import CommandLine
internal import Declarations
internal import Rendering
internal import Rules
package import Store

extension LastingDoubt {
    /// So many are named; `outbox list` has the others.
    static let namedAtMost = 10

    /// What is in doubt, for how long at least, and why pulls do not decide it.
    package var problem: String {
        "the \(kind.rawValue) of ‘\(Arguments.shown(title))’ (operation \(sequence)) has been in doubt "
            + "for over an hour and \(OpenDoubt.pulls) pulls: \(cause)"
    }

    /// How a person can end it, and what that risks.
    package var hint: String {
        let ways = [OutboxChange.retry, .drop].map { change in
            "`syncd outbox \(change.rawValue) --force \(sequence)` (\(change.risk(kind)))"
        }
        return "Remove that cause, or end the doubt: \(ways.joined(separator: " or "))."
    }

    private var cause: String {
        switch reason {
        case .pullHeld: "the last pull was held"
        case .pullFails(let error): "the pull fails: \(error)"
        case .listCut(let notice): notice
        case .rowsSkipped: "the list has unusable rows, and each could be any row"
        case .attempt(let error): "the last attempt ended with: \(error)"
        }
    }

    var json: JSONValue {
        [
            "seq": .integer(sequence.rawValue), "op": .string(kind.rawValue),
            "todo_id": .optional(list == ListName.todos.text ? row : nil),
            "title": .string(title), "list": .string(list), "row_id": .integer(row),
            "reason": .string(cause), "hint": .string(hint),
        ]
    }

    /// For `check`: the first ones by name.
    static func findings(_ doubts: [LastingDoubt]) -> [CheckFinding] {
        var told = doubts.prefix(namedAtMost).map { (problem: $0.problem, hint: $0.hint) }
        if let remainder = remainder(of: doubts) { told.append((remainder, whereAllAre)) }
        return told.map { CheckFinding(.problem, "outbox", $0.problem, hint: $0.hint) }
    }

    /// That there are more than are named; nil where there are not.
    static func remainder(of doubts: [LastingDoubt]) -> String? {
        let more = doubts.count - namedAtMost
        return more > 0 ? "\(more) more have been in doubt for as long" : nil
    }

    /// Where the person finds them all.
    static let whereAllAre = "See `syncd outbox list`."
}
