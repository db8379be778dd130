internal import CommandLine
internal import Rendering
internal import Store

extension Command {
    static let outboxList = Command(
        "outbox list", "Lists the changes that the server has not acknowledged yet.",
        options: [.json],
        notes: [
            "A rejected change waits for you: `outbox retry` or `outbox drop`. One in doubt was sent",
            "and its answer lost; the next pulls decide it.",
        ], statuses: [.configuration], examples: ["syncd outbox list"]
    ) { arguments, composition async throws(CommandError) in
        let store = try composition.openForReading(try composition.place(for: arguments))
        let rows = try await CommandError.awaiting(
            CommandError.store, try await store.outbox())
        if arguments.wantsJSON {
            try composition.console.write(.array(rows.map(\.json)))
        } else {
            try composition.console.write(OperationRow.table(of: rows, composition.moments))
        }
        return .ok
    }
}
