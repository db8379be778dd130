import Declarations
import Host
import SyncEngine
import Tables

/// The caches of a process's runs of projects and tasks, which come one after another.
///
/// `@unchecked Sendable`: only its executor's queue makes and uses them.
package final class RelatedWorkshop: SmallWorkshop, @unchecked Sendable {
    private let executor = QueueExecutor(label: "related")
    private var caches: [RelatedDeclaration: RestartableCache] = [:]

    /// A workshop without caches.
    package init() {}

    /// Runs `plan` in a world of its own.
    package func outcome(of plan: RelatedPlan, isTraced: Bool) async -> EditOutcome {
        await withTaskExecutorPreference(executor) { await run(plan, isTraced) }
    }

    private func run(_ plan: RelatedPlan, _ isTraced: Bool) async -> EditOutcome {
        do {
            let cache =
                try caches[plan.declaration]
                ?? RestartableCache(Self.tables(plan.declaration), executor: executor)
            caches[plan.declaration] = cache
            let world = try RelatedRun(plan, cache: cache, isTraced: isTraced)
            await world.run()
            return EditOutcome(problems: world.problems, trace: world.trace, residues: [])
        } catch {
            return EditOutcome(
                problems: ["WORLD: it cannot be made: \(error)"], trace: [], residues: [])
        }
    }

    private static func tables(_ declaration: RelatedDeclaration) throws -> [ListTable] {
        // An identity is never changed.
        let write = declaration.hasIdentity ? "create" : "both"
        let title = #""title": {"text": "$.title", "write": "\#(write)", "required": true}"#
        let required = declaration.isRequired ? #", "required": true"# : ""
        let columns = [
            ("projects", title),
            (
                "tasks",
                #"""
                \#(title), "list": {"row": "$.project_id", "of": "projects", "write": "both"\#(required)},
                "parent": {"row": "$.parent_id", "of": "tasks", "write": "both"}
                """#
            ),
        ]
        let lists = try columns.map { name, columns in
            try Declaration.stored(
                """
                {"list": "/lists/\(name)", "id": "$.id", "interval": "1m", "create": true,
                 \(update(name, declaration)) "delete": true,
                 \(declaration.hasIdentity ? "\"identity\": [\"title\"]," : "")
                 "columns": {\(columns)}}
                """, name: name)
        }
        return try lists.map { ListTable(try $0.referring(to: lists)) }
    }

    /// A whole row sends what it refers to also where that did not change.
    private static func update(_ name: String, _ declaration: RelatedDeclaration) -> String {
        // Nothing of a project can be changed where its title cannot.
        if name == "projects" { return declaration.hasIdentity ? "" : #""update": true,"# }
        guard declaration.isWhole else { return #""update": true,"# }
        return
            #""update": {"body": {"title": "{title}", "project_id": "{list}", "parent_id": "{parent}"}},"#
    }
}
