import APIClient
import Foundation
import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport

/// What the requests of syncd must be, and how everything stands in the end.
extension RelatedRun {
    /// The server does what it is asked; syncd hears its answer, or does not.
    func apply(_ request: HTTPRequest, isHeard: Bool = true) -> HTTPResponse {
        if request.method != .get { checkTarget(request) }
        let before = server.titles
        let answer = marked(server.answer(request, at: now))
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        note(
            "\(request.method.rawValue) \(request.target) \(body): \(answer.status)\(isHeard ? "" : ", lost")"
        )
        if request.method == .get, isHeard, answer.status == 200,
            let list = Self.lists.first(where: { request.target == "/lists/\($0.rawValue)" })
        {
            listed[list] = now
        }
        if request.method == .delete {
            let gone = before.subtracting(server.titles)
            for title in gone where fates[title]?.isRescued == true && plan.rule == .cascades {
                blame("TAKEN_ALONG: \(title), which a program had let go")
            }
        }
        var seen: Set<String> = []
        for row in server.rows(.projects) + server.rows(.tasks)
        where !seen.insert(row.title).inserted {
            blame("DOUBLED: \(row.title)")
        }
        return answer
    }

    /// Whatever the store keeps of a list's bytes is of this run, and of no process that has died in it: white space
    /// tells them apart.
    private func marked(_ answer: HTTPResponse) -> HTTPResponse {
        guard answer.body.first == UInt8(ascii: "[") else { return answer }
        var answer = answer
        let mark = String(cache.runs, radix: 2) + "0" + String(repeating: "1", count: lives)
        answer.body += mark.utf8.map {
            $0 == UInt8(ascii: "1") ? UInt8(ascii: "\t") : UInt8(ascii: " ")
        }
        return answer
    }

    /// A write is about the row that it was made for, below what the program gave to it.
    private func checkTarget(_ request: HTTPRequest) {
        let parts = request.target.split(separator: "/").map { String($0) }
        guard parts.count > 1, let list = RelatedServer.List(rawValue: parts[1]) else { return }
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if request.method == .delete {
            guard let title = server.title(list, parts[2]), server.titles.contains(title),
                !isNew(list, parts[2]), fates[title]?.mayBeGone == false
            else { return }
            return blame("STRANGER: \(title) is deleted, which nobody deleted here")
        }
        let title =
            parts.count > 2
            ? server.title(list, parts[2]) : RelatedServer.member("title", of: body)
        guard list == .tasks, let title, let fate = fates[title] else { return }
        if parts.count > 2, isNew(.tasks, parts[2]) { return }
        check("project_id", .projects, body, fate.projects, of: title)
        check("parent_id", .tasks, body, fate.parents, of: title)
    }

    private func check(
        _ member: String, _ list: RelatedServer.List, _ body: String, _ allowed: Set<String?>,
        of title: String
    ) {
        guard body.contains("\"\(member)\":") else { return }
        let id = RelatedServer.member(member, of: body)
        if let id, isNew(list, id) { return }
        let found = id.flatMap { server.title(list, $0) }
        if allowed.contains(found) { return }
        // A whole row sends what it has read.
        if plan.declaration.isWhole, isKnown(member, id, of: title) { return }
        blame(
            "MISDIRECTED: \(title) is sent below \(found ?? "nothing") (\(member) \(id ?? "null"))")
    }

    /// The document of the row has this value, so nobody here has changed it.
    private func isKnown(_ member: String, _ id: String?, of title: String) -> Bool {
        let found = rows(
            "SELECT document ->> '$.\(member)' FROM s_tasks WHERE document ->> '$.title' = '\(title)'"
        )
        return found.contains(id ?? "-")
    }

    /// The id means another row since the last list that syncd has heard.
    private func isNew(_ list: RelatedServer.List, _ id: String) -> Bool {
        guard plan.reusesIDs, let named = server.named[list]?[id] else { return false }
        return named.moment >= listed[list] ?? 0
    }

    /// No fault any more, and a person who asks again and again, until nothing changes.
    func heal() async {
        note("healing begins")
        pass(2 * Self.timeout)
        checkInvariants()
        await settle()
        checkInvariants()
        guard problems.isEmpty else { return }
        checkEnd()
        // What was refused is dropped, so that nothing has a reason to wait.
        for _ in 0..<8 where problems.isEmpty {
            let refused = rows("SELECT seq, title FROM outbox WHERE state = 'rejected'")
            guard !refused.isEmpty else { break }
            for row in refused {
                let parts = row.split(separator: "|").map { String($0) }
                drop(parts[0], of: parts[1])
            }
            await settle()
        }
        guard problems.isEmpty else { return }
        let left = rows("SELECT title, seq, op, list, state FROM outbox ORDER BY seq")
        if !left.isEmpty, !isCircle() { blame("WAITS: \(left)") }
    }

    private func settle() async {
        var before: [String] = []
        // What was acknowledged, and no list has shown, is judged after some of them.
        var quiet = 0
        for _ in 0..<16 {
            for list in Self.lists {
                await cycle(list, SeededRandom(seed: plan.seed), isUnkind: false)
                guard problems.isEmpty else { return }
            }
            pass(61_000)
            let after = rows("SELECT seq, op, title, state FROM outbox ORDER BY seq")
            let isQuiet = after == before && !after.contains { !$0.hasSuffix("rejected") }
            quiet = isQuiet ? quiet + 1 : 0
            if quiet == 4 { return }
            before = after
        }
    }

    private func checkEnd() {
        let left = rows("SELECT title, state FROM outbox")
        let stuck = Set(left.map { String($0.prefix { $0 != "|" }) })
        if !left.isEmpty, !left.contains(where: { $0.hasSuffix("rejected") }), !isCircle() {
            blame("WAITS: \(left)")
        }
        let told = Set(
            rows("SELECT coalesce((SELECT title FROM tasks WHERE _id = row_id), '') FROM conflicts")
        )
        let there = server.titles
        for (title, fate) in fates.sorted(by: { $0.key < $1.key }) where !stuck.contains(title) {
            let isThere = there.contains(title)
            let isBelow = fate.home.map { fates[$0]?.mayBeGone == true || !there.contains($0) }
            if !isThere, !fate.mayBeGone, !(isBelow == true && plan.rule == .cascades) {
                blame("LOST: \(title)")
            }
            if isThere, !told.contains(title), case .some(let wanted) = fate.project,
                wanted.map(there.contains) ?? true
            {
                checkPlace(title, wanted)
            }
        }
        checkEqual(except: stuck)
    }

    private func checkPlace(_ title: String, _ wanted: String?) {
        let found = server.rows(.tasks).first { $0.title == title }?.project
            .flatMap { server.title(.projects, $0) }
        if found != wanted {
            blame("MISFILED: \(title) below \(found ?? "nothing"), not \(wanted ?? "nothing")")
        }
    }

    /// What is shown without a waiting change is at the server, with what it refers to.
    private func checkEqual(except stuck: Set<String>) {
        let projects = server.rows(.projects)
        let tasks = server.rows(.tasks)
        let theirs = tasks.filter { !stuck.contains($0.title) }.map { row in
            let project = row.project.flatMap { id in projects.first { $0.id == id }?.title }
            let parent = row.parent.flatMap { id in tasks.first { $0.id == id }?.title }
            // What refers to a row that a waiting delete hides refers to nothing here.
            return "\(row.title)|\(project.map { $0 } ?? "-")|\(parent ?? "-")"
        }
        let ours = rows(
            """
            SELECT title, (SELECT title FROM projects WHERE _id = list),
                (SELECT title FROM tasks AS above WHERE above._id = tasks.parent)
            FROM tasks
            """
        ).filter { !stuck.contains(String($0.prefix { $0 != "|" })) }
        guard Set(theirs) != Set(ours), stuck.isEmpty else { return }
        let more = Set(ours).subtracting(theirs).sorted()
        blame("UNEQUAL: here \(more), there \(Set(theirs).subtracting(ours).sorted())")
    }

    /// Whether what is left stands in a circle, or waits for something that does.
    private func isCircle() -> Bool {
        let tables = cache.tables
        let found = try? cache.store.assumeIsolated { store in
            try tables.contains { table in
                try store.queueSnapshot(of: table).waiting.contains {
                    $0.behindRow?.isCircle == true
                }
            }
        }
        return found ?? false
    }
}
