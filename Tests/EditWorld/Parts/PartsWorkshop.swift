import Declarations
import Host
import SyncEngine
import Tables

/// The caches of a process's runs of a list below rows.
///
/// `@unchecked Sendable`: only its executor's queue makes and uses them.
package final class PartsWorkshop: SmallWorkshop, @unchecked Sendable {
    private let executor = QueueExecutor(label: "parts")
    private var caches: [PartsSetting: RestartableCache] = [:]

    /// A workshop without caches.
    package init() {}

    /// Runs `plan` in a world of its own.
    package func outcome(of plan: PartsPlan, isTraced: Bool) async -> EditOutcome {
        await withTaskExecutorPreference(executor) { await run(plan, isTraced) }
    }

    private func run(_ plan: PartsPlan, _ isTraced: Bool) async -> EditOutcome {
        do {
            let lists = try Self.declarations(plan.setting)
            let cache =
                try caches[plan.setting]
                ?? RestartableCache(
                    try lists.map { ListTable(try $0.referring(to: lists)) }, executor: executor)
            caches[plan.setting] = cache
            let world = try PartsRun(plan, cache: cache, isTraced: isTraced)
            await world.run()
            return EditOutcome(problems: world.problems, trace: world.trace, residues: [])
        } catch {
            return EditOutcome(
                problems: ["WORLD: it cannot be made: \(error)"], trace: [], residues: [])
        }
    }

    private static func declarations(_ setting: PartsSetting) throws -> [Declaration] {
        let watched = setting.isWatched ? #", "changed": ["touched"]"# : ""
        let pages = setting.size == nil ? #""none""# : #"{"offset": "offset"}"#
        return [
            try Declaration.stored(
                """
                {"list": "/above", "id": "$.id", "interval": "1m", "create": true, "delete": true,
                 "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                             "touched": "integer $.touched"}}
                """, name: "above"),
            try Declaration.stored(
                """
                {"list": "/above/{parent}/notes", "id": "$.id", "interval": "1m", "pages": \(pages),
                 "each": {"parent": "above", "whole": "2h", "most": \(setting.most)\(watched)},
                 "create": true, "update": true, "delete": true, "read": \(setting.canRead), "match": ["title"],
                 "columns": {"parent": "@parent", "title": {"text": "$.title", "write": "create", "required": true},
                             "value": {"integer": "$.value", "write": "both", "required": true}}}
                """, name: "notes"),
        ]
    }
}
