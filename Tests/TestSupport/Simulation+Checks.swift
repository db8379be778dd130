import Host
import ReferenceAPI
import SQLite
import Store
import SyncEngine

extension Simulation {
    /// The laws of the cache, which hold after every commit.
    func check() throws {
        let problems = try person.read { try StoreInvariants.violations(in: $0) } ?? []
        guard problems.isEmpty else {
            throw SimulationFailure(
                description: "\(plan): \(problems.joined(separator: "\n"))")
        }
    }

    /// What did nothing must not come back at once: that would go on for ever.
    func checkQuiet(_ report: CycleReport) throws {
        let isIdle = report.state == .ok && report.replay.done + report.replay.rejected == 0
        guard isIdle, report.hasPulled, report.due.milliseconds <= time.bootTime().milliseconds
        else { return }
        throw SimulationFailure(description: "\(plan): an idle cycle is due again at once")
    }

    /// What differs between the books, the server and the cache once the world is quiet.
    func compare() throws -> [String] {
        var problems =
            try person.read { cache in
                try cache.all("SELECT op, title, state FROM outbox") {
                    "\($0.text(0)) of \($0.text(1)) is still \($0.text(2))"
                }
            } ?? []
        let atServer = counted(
            server.withServer { $0.state.todos(email: Self.email).map(\.title) })
        let cached = counted(
            try person.read { try $0.all("SELECT title FROM todos") { $0.text(0) } } ?? [])
        let wanted = person.expected
        for title in Set(atServer.keys).union(cached.keys).union(wanted.keys).sorted() {
            let counts = (wanted[title] ?? 0, atServer[title] ?? 0, cached[title] ?? 0)
            if counts.0 != counts.1 || counts.1 != counts.2 {
                problems.append(
                    "\(title): accepted \(counts.0), at the server \(counts.1), cached \(counts.2)")
            }
        }
        try check()
        return problems
    }

    private func counted(_ titles: [String]) -> [String: Int] {
        titles.reduce(into: [:]) { $0[person.entry($1), default: 0] += 1 }
    }
}
