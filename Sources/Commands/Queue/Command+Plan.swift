internal import CommandLine
internal import Host
internal import Rendering
internal import SyncEngine

extension Command {
    static let plan = Command(
        "plan", "Prints what the next sync would send, and what waits for what.",
        options: [.json],
        notes: [
            "Nothing is sent and nothing is written. The order holds as long as the server takes",
            "everything. `syncd sync --dry-run` prints the plan of a sync that you ask for: that one",
            "skips our own backoff.",
        ], statuses: [.configuration], examples: ["syncd plan", "syncd sync --dry-run"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let plan = try await SyncPlan.read(from: place, because: .localWrite, by: composition)
        try composition.console.write(plan, asJSON: arguments.wantsJSON, composition.moments)
        guard !arguments.wantsJSON else { return .ok }
        let holder = try CommandError.trying(
            CommandError.file, try InstanceLock.holder(ofCacheAt: plan.path))
        if holder == nil {
            composition.console.note(
                "no daemon is running: nothing is sent before `syncd sync` or `syncd run`")
        }
        return .ok
    }
}
