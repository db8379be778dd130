internal import CommandLine
internal import Rendering
internal import Store
internal import Text

extension Command {
    static let conflicts = Command(
        "conflicts", "Lists edits that another's change has met.",
        operands: OperandRule(name: "the name of a list, or none", usage: "[NAME]", count: 0...1),
        options: [.json],
        notes: [
            "Each line has both values of a column. why is edited (theirs came before yours was sent,",
            "and is shown), overwritten (yours goes over theirs, as the declaration says), doubt (the",
            "answer to yours was lost, and another wrote the column), not taken (the server kept its",
            "value), gone (the row is not at the server any more) or delete (a row that you deleted was",
            "changed, and is kept). A line stays until you have taken one of them, with",
            "`syncd conflicts take`.",
        ], statuses: [.configuration],
        examples: ["syncd conflicts", "syncd conflicts notes --json"]
    ) { arguments, composition async throws(CommandError) in
        let store = try composition.openForReading(try composition.place(for: arguments))
        let name = arguments.operands.first
        let found = try await CommandError.awaiting(
            CommandError.store, try await store.conflicts(of: name))
        // Those of a list that is not declared any more are still there to be seen.
        if let name, found.isEmpty { _ = try await composition.table(name, arguments, in: store) }
        if arguments.wantsJSON {
            try composition.console.write(.array(found.map(\.json)))
        } else {
            try composition.console.write(Conflict.table(of: found, composition.moments))
        }
        return .ok
    }

    static let conflictsTake = Command(
        "conflicts take", "Ends conflicts with your values, or with those of the server.",
        operands: OperandRule(
            name: "mine or theirs, and at least one SEQ", usage: "mine|theirs SEQ…",
            count: 2...Int.max, choices: ConflictSide.allCases.map(\.rawValue)),
        notes: [
            "All are ended or none. A value that the row does not have is written to it as an edit, and",
            "the next sync sends it. `syncd conflicts` shows the numbers.",
        ],
        statuses: [.data, .tryLater, .configuration],
        examples: ["syncd conflicts take mine 3", "syncd conflicts take theirs 4 5"]
    ) { arguments, composition async throws(CommandError) in
        let word = arguments.operands[0]
        guard let side = ConflictSide(rawValue: word) else {
            throw arguments.usage(
                "`conflicts take` takes mine or theirs, not ‘\(Arguments.shown(word))’")
        }
        let numbers = try arguments.identifiers(Array(arguments.operands.dropFirst()))
        let store = try await composition.openForWriting(try composition.place(for: arguments))
        try await CommandError.from(wrapped) { () async throws(StoreError) in
            try await store.take(side, of: numbers)
        }
        return .ok
    }

    /// The sentence of a refusal says what can be done.
    private static func wrapped(_ error: StoreError) -> CommandError {
        guard case .refused(let text) = error else { return .store(error) }
        return .data(text, hint: "Nothing was changed.")
    }
}
