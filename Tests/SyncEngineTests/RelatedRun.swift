import APIClient
import Declarations
import Foundation
import Host
import ReferenceAPI
import Rules
import Store
import SyncEngine
import Tables
import TestSupport
import Testing

/// Random writes of a program, of another client and of a bad network, to projects and tasks that refer to one
/// another. Each row has a title of its own, by which it is followed.
final class RelatedRun {
    /// What became of a row, as far as anybody but syncd decides.
    private struct Fate {
        var isOurs: Bool
        /// The program deleted it, or what it stands below; another client did; or its change was given up.
        var mayBeGone = false
        /// The title of the project that the program wrote last; nil: another wrote since, or nobody did.
        var project: String??
        /// The program wanted it to stay when it deleted what it stood below.
        var isRescued = false
        /// Another client deleted it, or what it stood below.
        var isTaken = false
    }

    let random: SeededRandom
    private(set) var trace: [String] = []
    private var fates: [String: Fate] = [:]
    private var world: RelatedWorld
    private let rule: ReferenceList.Parent.Rule
    private var made = 0
    /// Below which projects another client made rows.
    private var homes: [String: String] = [:]
    var problems: [String] = []

    init(seed: UInt64) async throws {
        let random = SeededRandom(seed: seed)
        self.random = random
        rule = random.element(of: ReferenceList.Parent.Rule.allCases) ?? .restricts
        let projects = (1...3).map { #"{"id":\#(500 + $0),"title":"p\#($0)"}"# }
        let tasks = (1...4).map { number in
            let below = number > 2 && random.happens(50) ? "\(900 + number - 2)" : "null"
            return
                #"{"id":\#(900 + number),"title":"t\#(number)","project_id":\#(500 + 1 + random.index(3)),"parent_id":\#(below)}"#
        }
        world = try await RelatedWorld(rule, projects: projects, tasks: tasks)
        for task in tasks {
            guard let title = Self.member("title", of: task),
                let project = Self.member("project_id", of: task)
            else { continue }
            homes[title] = "p\(project.suffix(1))"
        }
        for title in (1...3).map({ "p\($0)" }) + (1...4).map({ "t\($0)" }) {
            fates[title] = Fate(isOurs: false)
        }
    }

    func run(steps: Int) async throws {
        trace.append("rule \(rule)")
        try await cycle("projects")
        try await cycle("tasks")
        for _ in 0..<steps {
            switch random.index(10) {
            case 0...4: try await program()
            case 5: try await others()
            case 6: try await decide()
            default: try await cycle(random.happens(50) ? "tasks" : "projects")
            }
        }
        try await heal()
    }

    // MARK: The program

    private func program() async throws {
        for sql in try await statement() {
            do {
                try await world.write(sql)
                trace.append(sql)
            } catch {
                trace.append("refused: \(sql): \(error)")
            }
        }
    }

    private func any(_ table: String) async throws -> (id: String, title: String)? {
        let rows = try await world.rows("SELECT _id, title FROM \(table) ORDER BY _id")
        guard let row = random.element(of: rows) else { return nil }
        let parts = row.split(separator: "|").map { String($0) }
        return (parts[0], parts[1])
    }

    private func statement() async throws -> [String] {
        switch random.index(9) {
        case 0:
            made += 1
            fates["P\(made)"] = Fate(isOurs: true)
            return ["INSERT INTO projects (title) VALUES ('P\(made)')"]
        case 1, 2, 3:
            let project = random.happens(80) ? try await any("projects") : nil
            let parent = random.happens(40) ? try await any("tasks") : nil
            made += 1
            fates["T\(made)"] = Fate(isOurs: true, project: .some(project?.title))
            let isDoomed =
                parent.map { parent in
                    let home = homes[parent.title].flatMap { fates[$0]?.mayBeGone } ?? false
                    return home || fates[parent.title]?.mayBeGone ?? true
                } ?? false
            fates["T\(made)"]?.mayBeGone = isDoomed
            return [
                "INSERT INTO tasks (title, list, parent) VALUES ('T\(made)', \(project?.id ?? "NULL"), \(parent?.id ?? "NULL"))"
            ]
        case 4, 5:
            guard let task = try await any("tasks") else { return [] }
            let project = random.happens(80) ? try await any("projects") : nil
            // NULL over NULL says nothing of a project that is not here.
            let shown = try await world.rows("SELECT list FROM tasks WHERE _id = \(task.id)")
            if shown != [project?.id ?? "-"] { fates[task.title]?.project = .some(project?.title) }
            return ["UPDATE tasks SET list = \(project?.id ?? "NULL") WHERE _id = \(task.id)"]
        case 6:
            guard let task = try await any("tasks") else { return [] }
            await gone(task.title, "tasks")
            return ["DELETE FROM tasks WHERE _id = \(task.id)"]
        default: return try await deleteProject()
        }
    }

    /// As four ORMs do it.
    private func deleteProject() async throws -> [String] {
        guard let project = try await any("projects") else { return [] }
        let children = try await world.rows(
            "SELECT title FROM tasks WHERE list = \(project.id)")
        fates[project.title]?.mayBeGone = true
        let delete = "DELETE FROM projects WHERE _id = \(project.id)"
        switch random.index(4) {
        case 0:
            for title in children {
                fates[title]?.project = .some(nil)
                // What stands below a row that is deleted goes with that one.
                let isDoomed = fates[title]?.mayBeGone ?? true
                fates[title]?.isRescued = !isDoomed
            }
            return [
                "BEGIN; UPDATE tasks SET list = NULL WHERE list = \(project.id); \(delete); COMMIT"
            ]
        case 1:
            for title in children { await gone(title, "tasks") }
            return ["BEGIN; DELETE FROM tasks WHERE list = \(project.id); \(delete); COMMIT"]
        case 2:
            for title in children { await gone(title, "tasks") }
            return ["BEGIN; \(delete); DELETE FROM tasks WHERE list = \(project.id); COMMIT"]
        default:
            for title in children { await gone(title, "tasks") }
            return [delete]
        }
    }

    /// A row may be gone from now on, and at a server that cascades all below it.
    private func gone(_ title: String, _ table: String) async {
        fates[title]?.mayBeGone = true
        fates[title]?.isRescued = false
        guard table == "tasks" else { return }
        let below = try? await world.rows(
            """
            WITH RECURSIVE below (id) AS (SELECT _id FROM tasks WHERE title = '\(title)'
                UNION SELECT tasks._id FROM tasks JOIN below ON tasks.parent = below.id)
            SELECT title FROM tasks WHERE _id IN (SELECT id FROM below)
            """)
        for title in below ?? [] {
            fates[title]?.mayBeGone = true
            fates[title]?.isRescued = false
        }
    }

    // MARK: The others

    private func others() async throws {
        let server = world.world.server
        made += 1
        switch random.index(3) {
        case 0:
            let ids = world.atServer("projects").compactMap { Self.member("id", of: $0) }
            guard let id = random.element(of: ids) else { return }
            fates["o\(made)"] = Fate(isOurs: false)
            let project = world.atServer("projects").first { Self.member("id", of: $0) == id }
            homes["o\(made)"] = project.flatMap { Self.member("title", of: $0) }
            world.change(
                "tasks",
                world.atServer("tasks") + [
                    #"{"id":\#(7000 + made),"title":"o\#(made)","project_id":\#(id),"parent_id":null}"#
                ])
            trace.append("others add o\(made) below \(id)")
        case 1:
            fates["q\(made)"] = Fate(isOurs: false)
            world.change(
                "projects",
                world.atServer("projects") + [#"{"id":\#(7000 + made),"title":"q\#(made)"}"#])
            trace.append("others add q\(made)")
        default:
            let rows = world.atServer("tasks")
            guard let row = random.element(of: rows), let id = Self.member("id", of: row) else {
                return
            }
            let before = Set(rows.compactMap { Self.member("title", of: $0) })
            let now = world.world.time.wallTime().milliseconds
            let request = HTTPRequest(
                method: .delete, origin: try BaseURL("http://127.0.0.1:8080").origin,
                target: "/lists/tasks/\(id)", fields: [], timeout: .seconds(1),
                maxBodyBytes: 1 << 20)
            server.withServer {
                _ = $0.answer(request, at: now / 1000, milliseconds: now % 1000)
            }
            let after = Set(world.atServer("tasks").compactMap { Self.member("title", of: $0) })
            for title in before.subtracting(after) {
                fates[title]?.mayBeGone = true
                fates[title]?.isTaken = true
            }
            for title in after { if rule == .lets { fates[title]?.isRescued = false } }
            trace.append("others delete \(before.subtracting(after).sorted())")
        }
    }

    static func member(_ name: String, of row: String) -> String? {
        guard let range = row.range(of: "\"\(name)\":") else { return nil }
        return String(row[range.upperBound...].prefix { $0 != "," && $0 != "}" })
            .trimmingCharacters(in: ["\""])
    }

    /// The person drops a refused change, or sends it again.
    private func decide() async throws {
        let rows = try await world.rows("SELECT seq, title FROM outbox WHERE state = 'rejected'")
        guard let row = random.element(of: rows) else { return }
        let parts = row.split(separator: "|").map { String($0) }
        if random.happens(50) {
            fates[parts[1]]?.project = nil
            await gone(parts[1], "tasks")
            try await world.write("DELETE FROM outbox WHERE seq = \(parts[0])")
            trace.append("drop \(parts[1])")
        } else {
            try await world.write("UPDATE outbox SET state = 'queued' WHERE seq = \(parts[0])")
            trace.append("retry \(parts[1])")
        }
    }

    // MARK: The network

    private func cycle(_ list: String) async throws {
        let server = world.world.server
        server.mend()
        for verb in ["POST", "PATCH", "DELETE"] {
            for _ in 0..<4 {
                let act: ScriptedServer.Act =
                    switch random.index(20) {
                    case 0...10: .works
                    case 11, 12, 13: .losesAnswer
                    case 14, 15: .losesRequest
                    case 16: .refuses
                    case 17, 18: .status(503)
                    default: .status(422)
                    }
                server.next("\(verb) /lists/\(list)", act)
            }
        }
        if random.happens(10) { server.next("GET /lists/\(list)", .status(503)) }
        let start = server.lines.count
        try await world.sync(list, then: .seconds([0, 2, 61, 600][random.index(4)]))
        trace.append("cycle \(list): \(server.lines.dropFirst(start).joined(separator: ", "))")
    }

    private func heal() async throws {
        world.world.server.mend()
        trace.append("healing")
        for _ in 0..<12 {
            for list in ["projects", "tasks"] {
                try await world.world.store.acceptDeletes(of: [.init(kept: list)])
                let start = world.world.server.lines.count
                try await world.sync(list, then: .seconds(600))
                let sent = world.world.server.lines.dropFirst(start).joined(separator: ", ")
                trace.append(
                    "\(sent) -> \(try await world.rows("SELECT seq, op, state, last_status FROM outbox"))"
                )
            }
        }
        let left = try await world.rows(
            "SELECT seq, op, list, title, state FROM outbox ORDER BY seq")
        let server = (world.atServer("projects") + world.atServer("tasks")).compactMap {
            Self.member("title", of: $0)
        }
        trace.append("left: \(left)")
        trace.append("server: \(world.atServer("projects") + world.atServer("tasks"))")
        trace.append("tasks: \(try await world.tasks())")
        let stuck = Set(left.map { String($0.split(separator: "|")[3]) })
        if !left.isEmpty, !left.contains(where: { $0.hasSuffix("rejected") }) {
            // A circle of creates waits for the program.
            let plans = try await waits()
            if !plans { problems.append("WAITS: \(left)") }
        }
        let conflicts = Set(
            try await world.rows(
                "SELECT coalesce((SELECT title FROM tasks WHERE _id = row_id), '') FROM conflicts"))
        for (title, fate) in fates.sorted(by: { $0.key < $1.key }) {
            let count = server.filter { $0 == title }.count
            if count > 1 { problems.append("DOUBLED: \(title)") }
            let above = [homes[title], ["t3": "t1", "t4": "t2"][title]].compactMap { $0 }
            let isBelow = above.contains { fates[$0]?.mayBeGone == true || !server.contains($0) }
            if count == 0, !fate.mayBeGone, !stuck.contains(title), !(isBelow && rule == .cascades)
            {
                problems.append("LOST: \(title)")
            }
            if count == 0, fate.isRescued, !fate.isTaken, !stuck.contains(title), rule == .cascades,
                !conflicts.contains(title)
            {
                problems.append("TAKEN ALONG: \(title)")
            }
            guard count == 1, !stuck.contains(title), !conflicts.contains(title),
                case .some(let wanted) = fate.project
            else { continue }
            let found = try await world.rows(
                "SELECT (SELECT p.title FROM projects AS p WHERE p._id = list) FROM tasks WHERE title = '\(title)'"
            ).first
            let isThere = wanted.map { server.contains($0) } ?? true
            if isThere, found != wanted ?? "-" {
                problems.append(
                    "MISFILED: \(title) below \(found ?? "nothing"), not \(wanted ?? "-")")
            }
        }
    }

    /// Whether what is left stands in a circle, or waits for something that does.
    private func waits() async throws -> Bool {
        for table in try await world.world.store.tables() where !table.declaration.isReadOnly {
            let waiting = try await world.world.store.queueSnapshot(of: table).waiting
            if waiting.contains(where: { $0.behindRow?.isCircle == true }) { return true }
        }
        return false
    }
}
