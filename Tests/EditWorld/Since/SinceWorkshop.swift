import Declarations
import Host
import SyncEngine
import Tables

/// The caches of a process's runs of a list of which only changes are asked for.
///
/// `@unchecked Sendable`: only its executor's queue makes and uses them.
package final class SinceWorkshop: SmallWorkshop, @unchecked Sendable {
    private let executor = QueueExecutor(label: "since")
    private var caches: [String: RestartableCache] = [:]

    /// A workshop without caches.
    package init() {}

    /// Runs `plan` in a world of its own.
    package func outcome(of plan: SincePlan, isTraced: Bool) async -> EditOutcome {
        await withTaskExecutorPreference(executor) { await run(plan, isTraced) }
    }

    private func run(_ plan: SincePlan, _ isTraced: Bool) async -> EditOutcome {
        do {
            let text = Self.declaration(plan.setting)
            let cache =
                try caches[text]
                ?? RestartableCache(
                    [ListTable(try Declaration.stored(text, name: "notes"))], executor: executor)
            caches[text] = cache
            let world = try SinceRun(plan, cache: cache, isTraced: isTraced)
            await world.run()
            return EditOutcome(problems: world.problems, trace: world.trace, residues: [])
        } catch {
            return EditOutcome(
                problems: ["WORLD: it cannot be made: \(error)"], trace: [], residues: [])
        }
    }

    private static func declaration(_ setting: SinceSetting) -> String {
        let moment = setting.moment == .token ? "header X-Mark" : "$.at"
        let deleted = setting.hasTombstones ? #", "deleted": "$.gone""# : ""
        let pages =
            setting.size == nil
            ? #""none""#
            : setting.tellsTotal
                ? #"{"offset": "offset", "rows": "header X-Total-Count"}"#
                : #"{"offset": "offset"}"#
        return """
            {"list": "/notes", "id": "$.id", "interval": "1m", "pages": \(pages),
             "since": {"query": "since={since}", "moment": "\(moment)", "whole": "2h"\(deleted)},
             "create": true, "update": true, "delete": true, "read": \(setting.canRead), "match": ["title"],
             \(setting.reusesIDs ? #""identity": ["id", "title"],"# : "")
             "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                         "value": {"integer": "$.value", "write": "both", "required": true}}}
            """
    }
}
