internal import CommandLine
internal import Host
internal import Rendering
internal import Store
internal import Text

extension Command {
    static let explain = Command(
        "explain", "Says where each value of a row comes from, and what waits.",
        operands: OperandRule(
            name: "the name of a list and an ID", usage: "NAME ID", count: 2...2),
        options: [.json],
        notes: [
            "A value is from the server, or sent (the answer is awaited or was lost), or an edit (it",
            "waits to be sent), or from the create of the row. An edit that was dropped shows until",
            "the next sync. The values beneath it are what would show without it. Sentences say what",
            "each operation of the row waits for. `syncd list NAME` shows the ids.",
        ],
        statuses: [.data, .configuration], examples: ["syncd explain notes 7"]
    ) { arguments, composition async throws(CommandError) in
        guard let id = try arguments.identifiers([arguments.operands[1]]).first else {
            throw arguments.usage("`explain` takes the ID of a row")
        }
        let store = try composition.openForReading(try composition.place(for: arguments))
        let table = try await composition.table(arguments.operands[0], arguments, in: store)
        let row = try await CommandError.awaiting(
            CommandError.store, try await store.explain(id, of: table))
        let moments = composition.moments
        let explanation = RowExplanation(
            of: row, wall: composition.time.wallTime(), now: composition.time.bootTime()
        ) { moments.of($0.description) }
        let console = composition.console
        guard !arguments.wantsJSON else {
            try console.write(explanation.json)
            return .ok
        }
        try console.write(explanation.table)
        try console.write(line: "")
        for sentence in explanation.sentences {
            try console.write(line: ForeignText(sentence).escaped)
        }
        return .ok
    }
}
