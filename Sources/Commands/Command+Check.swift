internal import Configuration
internal import Glibc
internal import Host
internal import Rendering
internal import SQLite
internal import Store

extension Command {
    static let check = Command(
        "check", "Looks for what is wrong with the cache and around it, and says how to mend it.",
        options: [.json, OptionSpec("fix", "mend what can be mended without losing anything")],
        notes: [
            "It looks at the database's integrity, the modes of the files, the configuration, the",
            "clock, the disk and the library. What is only worth knowing is a note and no finding.",
        ], statuses: [.findings, .tryLater, .configuration], examples: ["syncd check --fix"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let path = try CommandError.from(CommandError.file) { () throws(FileError) in
            try DatabaseFile.find(at: place.path)
        }
        let machine = MachineCheck(
            facts: composition.facts, settings: place.settings, cache: path ?? place.path,
            now: composition.time.wallTime())
        var findings = machine.findings()
        if path != nil {
            findings += try Self.integrity(of: composition, place)
        } else {
            findings.append(
                CheckFinding(
                    .note, place.path, "there is no cache yet",
                    hint: "Run `syncd sync` or `syncd todo add`, which make it."))
        }
        if arguments.flags.contains("fix") { findings = findings.map(Self.mended) }
        if arguments.wantsJSON {
            try composition.console.write(.array(findings.map(\.json)))
        } else if findings.isEmpty {
            composition.console.note("nothing is wrong")
        } else {
            try composition.console.write(CheckFinding.table(of: findings))
        }
        return findings.contains { $0.level == .problem } ? .findings : .ok
    }

    /// What SQLite says of the file, at most so many sentences.
    private static func integrity(
        of composition: Composition, _ place: CachePlace
    ) throws(CommandError) -> [CheckFinding] {
        // The store refuses what is no cache of ours, or one that this build cannot read.
        _ = try composition.openForReading(place)
        let path = try composition.find(place)
        var problems: [String] = []
        do throws(SQLiteError) {
            let connection = try Connection(
                .file(path), access: .readOnly, busyTimeout: .seconds(2))
            problems = try connection.all("PRAGMA integrity_check(20)") { $0.text(0) }
                .filter { $0 != "ok" }
            problems += try connection.all("PRAGMA foreign_key_check") {
                "a row of \($0.text(0)) names a row of \($0.text(2)) that is not there"
            }.prefix(20)
        } catch {
            guard [.corrupt, .notADatabase].contains(error.code.primary) else {
                throw .statement(error)
            }
            problems.append(error.message)
        }
        return problems.map { problem in
            CheckFinding(
                .problem, path, problem,
                hint: "Stop syncd, copy the file away, and restore a backup.")
        }
    }

    private static func mended(_ finding: CheckFinding) -> CheckFinding {
        var finding = finding
        if let repair = finding.repair, chmod(repair.path, repair.mode) == 0 {
            finding.level = .mended
        }
        return finding
    }
}
