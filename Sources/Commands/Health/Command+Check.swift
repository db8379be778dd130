internal import CommandLine
internal import Configuration
internal import Declarations
internal import Glibc
internal import Host
internal import Recovery
internal import Rendering
internal import Store
internal import SyncEngine

extension Command {
    static let check = Command(
        "check", "Looks for faults in and around the cache; says how to mend it.",
        options: [.json, OptionSpec("fix", "mend the faults whose mending loses nothing")],
        notes: [
            "It checks the database, the modes of the files, the configuration, the clock, the disk",
            "and the library. It reports lists that are cut, changes that are stuck, doubt that lasts,",
            "and deletes that are held. A note does not change the exit status.",
        ], statuses: [.findings, .tryLater, .configuration], examples: ["syncd check --fix"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let path = try CommandError.trying(
            CommandError.file, try DatabaseFile.find(at: place.path))
        let machine = MachineCheck(
            facts: composition.facts, settings: place.settings, cache: path ?? place.path,
            now: composition.time.wallTime())
        var findings = machine.findings()
        let isFixing = arguments.flags.contains("fix")
        if isFixing { findings = findings.map(Self.mended) }
        findings += (place.settings?.brokenLists ?? []).map {
            CheckFinding(.problem, $0.name, $0.problem, hint: $0.error.hint)
        }
        findings += (place.settings?.plainReferences ?? []).map {
            CheckFinding(.note, $0.list.text, $0.description, hint: $0.hint)
        }
        if path != nil {
            findings += try await Self.findings(in: composition, place, isFixing: isFixing)
        } else {
            findings.append(
                CheckFinding(
                    .note, place.path, "there is no cache yet",
                    hint: "Run `syncd sync` or `syncd todo add`, which make it."))
        }
        findings += DamagedCopy.all(of: path ?? place.path).map { copy in
            CheckFinding(
                .problem, copy.path, copy.note ?? "a damaged cache was moved aside to here",
                hint: "Remove it and the files named after it when you do not need them.")
        }
        if arguments.wantsJSON {
            try composition.console.write(.array(findings.map(\.json)))
        } else if findings.isEmpty {
            composition.console.note("nothing is wrong")
        } else {
            try composition.console.write(findings)
        }
        return findings.contains { $0.level == .problem } ? .findings : .ok
    }

    /// What the store finds; a cache that cannot be opened is one finding.
    private static func findings(
        in composition: Composition, _ place: CachePlace, isFixing: Bool
    ) async throws(CommandError) -> [CheckFinding] {
        do throws(CommandError) {
            let reader = try composition.openForReading(place, closes: true, keepsRights: true)
            let stranger = try await account(of: reader, place)
            let standing = try await standing(
                of: reader, place, now: composition.time.bootTime())
            let before = try await look(reader)
            let fixable = before.filter { $0.remedy != nil }
            // Another account's cache is not written to, not even to mend it.
            guard isFixing, !fixable.isEmpty, stranger.isEmpty else {
                return stranger + standing + before.map { CheckFinding($0) }
            }
            let store = try await composition.openForWriting(place)
            try await CommandError.awaiting(CommandError.store, try await store.fix(fixable))
            let after = try await look(store)
            return standing + after.map { CheckFinding($0) }
                + fixable.filter { !after.contains($0) }.map { CheckFinding($0, isMended: true) }
        } catch .store(.olderSchema(let path, let found, let known)) {
            let error = StoreError.olderSchema(path: path, found: found, known: known)
            guard isFixing else {
                return [
                    CheckFinding(
                        .problem, path, error.description, hint: error.hint, isFixable: true)
                ]
            }
            // To open it for writing migrates it.
            _ = try await composition.openForWriting(place)
            return [CheckFinding(.mended, path, error.description, hint: error.hint)]
                + (try await findings(in: composition, place, isFixing: true))
        } catch .store(let error) where error != .busy {
            return [CheckFinding(.problem, place.path, error.description, hint: error.hint)]
        } catch {
            throw error
        }
    }

    /// Whether the cache is for the account that the configuration names.
    private static func account(
        of store: CacheStore, _ place: CachePlace
    ) async throws(CommandError) -> [CheckFinding] {
        let cached = try await CommandError.awaiting(
            CommandError.store, try await store.account(of: .todos))
        guard let error = place.settings?.refusal(ofCacheOf: cached) else { return [] }
        return [CheckFinding(.problem, "configuration", error.description, hint: error.hint)]
    }

    /// What needs the person though every cycle goes well: a list that is cut, doubt that lasts, held deletes.
    private static func standing(
        of store: CacheStore, _ place: CachePlace, now: BootTime
    ) async throws(CommandError) -> [CheckFinding] {
        let (rows, doubts, held) = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            (
                try await store.status(), try await store.lastingDoubts(now: now),
                try await store.heldDeletes()
            )
        }
        let unkept = try await UnkeptChanges.all(in: store, place.settings)
        let kept = rows.filter { place.settings?.keeps($0.list) ?? true }
        return kept.compactMap { row in
            row.notice.map { CheckFinding(.problem, row.list, $0, hint: row.hint ?? "") }
        }
            + kept.flatMap { row in
                row.changeRemarks.map {
                    CheckFinding(.problem, row.list, $0.problem, hint: $0.hint)
                }
            }
            + kept.flatMap { row in
                row.mistakes.map {
                    CheckFinding(
                        .problem, row.list, $0.problem, hint: $0.hint(of: row.list))
                }
            }
            + kept.compactMap { row in
                row.skippedProblem.map {
                    CheckFinding(.note, row.list, $0, hint: row.skippedHint)
                }
            }
            + LastingDoubt.findings(doubts.filter { place.settings?.keeps($0.list) ?? true })
            + held.filter { place.settings?.keeps($0.list) ?? true }.map {
                CheckFinding(.problem, $0.list, $0.problem, hint: $0.hint)
            } + unkept.map { CheckFinding(.problem, $0.list, $0.problem, hint: $0.hint) }
    }

    private static func look(_ store: CacheStore) async throws(CommandError) -> [Finding] {
        try await CommandError.awaiting(CommandError.store, try await store.check())
    }

    private static func mended(_ finding: CheckFinding) -> CheckFinding {
        var finding = finding
        // A link may have taken its place since it was looked at.
        if let repair = finding.repair,
            fchmodat(AT_FDCWD, repair.path, repair.mode, AT_SYMLINK_NOFOLLOW) == 0
        {
            finding.level = .mended
        }
        return finding
    }
}
