import APIClient
import ReferenceAPI
import SQLite
import TestSupport

/// What became of a row, as far as anybody but syncd decides.
struct RelatedFate {
    var isOurs: Bool
    /// The program deleted it, or what it stands below; another client did; or its change was given up.
    var mayBeGone = false
    /// The title of the project that the program wrote last; nil: another wrote since, or nobody did.
    var project: String??
    /// Of which projects, and of which tasks above, the program has ever made it.
    var projects: Set<String?> = []
    var parents: Set<String?> = []
    /// Below which project another client made it.
    var home: String?
    /// The program wanted it to stay when it deleted what it stood below.
    var isRescued = false
    /// Another client deleted it, or what it stood below.
    var isTaken = false
    /// A change of it was given up.
    var isGivenUp = false
}

/// What programs, people and other clients do.
extension RelatedRun {
    /// What a program does: one statement, or a transaction as an ORM makes one.
    func program(_ random: SeededRandom) {
        // What is written beside a process that has died is not in the cache that comes back.
        guard !isDead, let sql = statement(random) else { return }
        let before = fates
        apply(sql)
        do {
            try cache.with { try $0.execute(script: sql.text) }
            note(sql.text)
        } catch {
            _ = try? cache.with { connection in
                if connection.isInTransaction { try connection.execute(script: "ROLLBACK") }
            }
            fates = before
            note("refused: \(sql.text): \(error)")
        }
    }

    /// A row of a table.
    private struct Place {
        let id: String
        let title: String
    }

    /// What is about to be written, and what it means for the rows.
    private struct Statement {
        var text: String
        var made: [(title: String, fate: RelatedFate)] = []
        /// Tasks that get a project; nil for none.
        var moved: [(title: String, project: String?)] = []
        var above: [(title: String, parent: String?)] = []
        /// Tasks and projects that go, with what stands below them.
        var deleted: [String] = []
        /// Rows that were let go so that they stay.
        var rescued: [String] = []
    }

    private func apply(_ statement: Statement) {
        for (title, fate) in statement.made { fates[title] = fate }
        for (title, project) in statement.moved {
            fates[title]?.project = .some(project)
            fates[title]?.projects.insert(project)
        }
        for (title, parent) in statement.above { fates[title]?.parents.insert(parent) }
        for title in statement.rescued {
            let isDoomed = fates[title]?.mayBeGone ?? true
            fates[title]?.isRescued = !isDoomed
        }
        for title in statement.deleted { goes(title) }
    }

    private func any(_ list: RelatedServer.List, _ random: SeededRandom) -> Place? {
        let found = rows("SELECT _id, title FROM \(list.rawValue) ORDER BY _id")
        guard let row = random.element(of: found) else { return nil }
        let parts = row.split(separator: "|").map { String($0) }
        return Place(id: parts[0], title: parts[1])
    }

    private func statement(_ random: SeededRandom) -> Statement? {
        switch random.index(12) {
        case 0:
            made += 1
            return Statement(
                text: "INSERT INTO projects (title) VALUES ('P\(made)')",
                made: [("P\(made)", RelatedFate(isOurs: true))])
        case 1, 2, 3: return insertedTask(random)
        case 4: return family(random)
        case 5, 6: return movedTask(random)
        case 7:
            guard let task = any(.tasks, random) else { return nil }
            let parent = random.happens(60) ? any(.tasks, random) : nil
            return Statement(
                text: "UPDATE tasks SET parent = \(parent?.id ?? "NULL") WHERE _id = \(task.id)",
                above: [(task.title, parent?.title)],
                deleted: doomed(below: parent) ? [task.title] : [])
        case 8:
            guard let task = any(.tasks, random) else { return nil }
            return Statement(
                text: "DELETE FROM tasks WHERE _id = \(task.id)", deleted: [task.title])
        default: return random.happens(50) ? deletedProject(random) : movedTask(random)
        }
    }

    /// What is put below a row that may go may go with it.
    private func doomed(below parent: Place?) -> Bool {
        guard let parent, let fate = fates[parent.title] else { return false }
        return fate.mayBeGone || fate.home.map { fates[$0]?.mayBeGone ?? true } ?? false
    }

    private func insertedTask(_ random: SeededRandom) -> Statement {
        let project = random.happens(80) ? any(.projects, random) : nil
        let parent = random.happens(40) ? any(.tasks, random) : nil
        made += 1
        var fate = RelatedFate(isOurs: true, project: .some(project?.title))
        (fate.projects, fate.parents) = ([project?.title], [parent?.title])
        fate.mayBeGone = doomed(below: parent)
        return Statement(
            text: """
                INSERT INTO tasks (title, list, parent)
                VALUES ('T\(made)', \(project?.id ?? "NULL"), \(parent?.id ?? "NULL"))
                """, made: [("T\(made)", fate)])
    }

    /// A project, its task and one below that, in one transaction; and a task that moves there.
    private func family(_ random: SeededRandom) -> Statement {
        made += 1
        let moved = random.happens(50) ? any(.tasks, random) : nil
        let (project, task) = ("P\(made)", "T\(made)")
        var fate = RelatedFate(isOurs: true, project: .some(project))
        (fate.projects, fate.parents) = ([project], [nil])
        let move = moved.map {
            "UPDATE tasks SET list = (SELECT _id FROM projects WHERE title = '\(project)') WHERE _id = \($0.id);"
        }
        return Statement(
            text: """
                BEGIN; INSERT INTO projects (title) VALUES ('\(project)');
                INSERT INTO tasks (title, list) SELECT '\(task)', _id FROM projects WHERE title = '\(project)';
                \(move ?? "") COMMIT
                """, made: [(project, RelatedFate(isOurs: true)), (task, fate)],
            moved: moved.map { [($0.title, project)] } ?? [])
    }

    private func movedTask(_ random: SeededRandom) -> Statement? {
        guard let task = any(.tasks, random) else { return nil }
        let project = random.happens(80) ? any(.projects, random) : nil
        // NULL over NULL says nothing of a project that is not here.
        let shown = rows("SELECT list FROM tasks WHERE _id = \(task.id)")
        return Statement(
            text: "UPDATE tasks SET list = \(project?.id ?? "NULL") WHERE _id = \(task.id)",
            moved: shown == [project?.id ?? "-"] ? [] : [(task.title, project?.title)])
    }

    /// As four ORMs do it.
    private func deletedProject(_ random: SeededRandom) -> Statement? {
        guard let project = any(.projects, random) else { return nil }
        let children = rows("SELECT title FROM tasks WHERE list = \(project.id)")
        let delete = "DELETE FROM projects WHERE _id = \(project.id)"
        switch random.index(4) {
        case 0:
            return Statement(
                text:
                    "BEGIN; UPDATE tasks SET list = NULL WHERE list = \(project.id); \(delete); COMMIT",
                moved: children.map { ($0, nil) }, deleted: [project.title], rescued: children)
        case 1:
            return Statement(
                text: "BEGIN; DELETE FROM tasks WHERE list = \(project.id); \(delete); COMMIT",
                deleted: children + [project.title])
        case 2:
            return Statement(
                text: "BEGIN; \(delete); DELETE FROM tasks WHERE list = \(project.id); COMMIT",
                deleted: children + [project.title])
        default: return Statement(text: delete, deleted: children + [project.title])
        }
    }

    /// A row may be gone from now on, and at a server that cascades all below it.
    func goes(_ title: String) {
        var titles = [title]
        titles += rows(
            """
            WITH RECURSIVE below (id) AS (SELECT _id FROM tasks WHERE title = '\(title)'
                UNION SELECT tasks._id FROM tasks JOIN below ON tasks.parent = below.id)
            SELECT title FROM tasks WHERE _id IN (SELECT id FROM below)
            """)
        for title in titles {
            fates[title]?.mayBeGone = true
            fates[title]?.isRescued = false
        }
    }

    /// A person drops a refused change, or sends it again.
    func decide(_ random: SeededRandom) {
        let refused = rows("SELECT seq, title FROM outbox WHERE state = 'rejected'")
        guard let row = random.element(of: refused) else { return }
        let parts = row.split(separator: "|").map { String($0) }
        if random.happens(50) {
            drop(parts[0], of: parts[1])
        } else {
            note("retry \(parts[1])")
            write("UPDATE outbox SET state = 'queued' WHERE seq = \(parts[0])")
        }
    }

    func drop(_ sequence: String, of title: String) {
        note("drop \(title)")
        goes(title)
        fates[title]?.project = nil
        fates[title]?.isGivenUp = true
        write("DELETE FROM outbox WHERE seq = \(sequence)")
    }

    private func write(_ sql: String) {
        do { try cache.with { try $0.execute(script: sql) } } catch { note("refused: \(error)") }
    }

    // MARK: Other clients

    func others(_ random: SeededRandom) {
        made += 1
        switch random.index(4) {
        case 0, 1:
            let home = random.element(of: server.rows(.projects))
            guard home != nil || !plan.declaration.isRequired else { return }
            fates["o\(made)"] = RelatedFate(isOurs: false, home: home?.title)
            add(
                #""title":"o\#(made)","project_id":\#(home?.id ?? "null"),"parent_id":null"#,
                .tasks,
                random)
        case 2:
            fates["q\(made)"] = RelatedFate(isOurs: false)
            add(#""title":"q\#(made)""#, .projects, random)
        default:
            let list = random.happens(70) ? RelatedServer.List.tasks : .projects
            guard let row = random.element(of: server.rows(list)) else { return }
            let before = server.titles
            server.remove(row.id, from: list, at: now)
            let gone = before.subtracting(server.titles).sorted()
            for title in gone {
                fates[title]?.mayBeGone = true
                fates[title]?.isTaken = true
            }
            // A server that lets rows go has taken from them what they referred to.
            for task in server.rows(.tasks) where plan.rule == .lets && !gone.isEmpty {
                fates[task.title]?.isRescued = false
            }
            note("others delete \(gone)")
        }
    }

    private func add(_ members: String, _ list: RelatedServer.List, _ random: SeededRandom) {
        let free = plan.reusesIDs && random.happens(60) ? server.freeIDs(list) : []
        // A number that rows here have, too.
        let id = random.element(of: free) ?? "\(10 + made)"
        guard !server.rows(list).contains(where: { $0.id == id }) else { return }
        server.add("{\"id\":\(id),\(members)}", to: list, at: now)
        note("others add \(id) \(members)")
    }
}
