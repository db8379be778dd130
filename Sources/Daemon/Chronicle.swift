internal import Declarations
package import Host
internal import Rules
package import Store
package import SyncEngine
internal import Text

/// Writes one line of the log for each change that a person should know of, and remembers what it
/// has told.
package struct Chronicle: Sendable {
    /// One line of the log.
    package struct Line: Sendable, Hashable {
        package let level: LogLevel
        package let text: String

        /// A line of `level`.
        package init(_ level: LogLevel, _ text: String) {
            self.level = level
            self.text = text
        }
    }

    /// So many skipped rows are named in a line.
    private static let namedRows = 3

    private var skipped: [ListName: SkippedRows] = [:]
    /// Lists whose list was taken though something is wrong with it.
    private var noticed: Set<ListName> = []
    /// The deletes that were told as held.
    private var held: [ListName: HeldDeletes] = [:]
    /// Why no change of a list is sent, as it was told.
    private var halted: [ListName: SyncState] = [:]
    /// Lists of which changes were told as stuck.
    private var stuck: Set<ListName> = []
    private var isLogExcessive = false
    /// Why the cache does not work now; nil while it does.
    package private(set) var trouble: StoreError?

    /// Nothing was told yet.
    package init() {}

    /// The end of a cycle whose status is written.
    package mutating func ended(_ report: CycleReport, at now: BootTime) -> [Line] {
        var lines = recovered()
        let name = report.list.text
        if report.state != report.previousState {
            lines.append(
                Line(report.state == .ok ? .info : .warning, "\(name): \(Self.change(report))"))
        }
        // A list that came before says nothing new of rows, and takes nothing back.
        if report.rows != nil, !report.isUnchanged,
            report.skipped != skipped[report.list, default: .none]
        {
            skipped[report.list] = report.skipped
            lines.append(Self.skippedLine(name, report.skipped))
        }
        if let line = noticeLine(report) { lines.append(line) }
        if let line = heldLine(report) { lines.append(line) }
        if let line = haltLine(report) { lines.append(line) }
        if let line = stuckLine(report) { lines.append(line) }
        if let line = Self.replayLine(name, report.replay) { lines.append(line) }
        if report.replay.rejected > 0 {
            let count = report.replay.rejected
            lines.append(
                Line(
                    .warning,
                    "\(name): the server refused \(count) \(count == 1 ? "change" : "changes"). "
                        + "Look at `syncd outbox list`."))
        }
        if let line = logLine(report.walBytes) { lines.append(line) }
        lines.append(Line(.debug, Self.details(report, at: now)))
        return lines
    }

    /// The cache failed for now; told once until something else happens to it.
    package mutating func failed(_ error: StoreError) -> [Line] {
        guard trouble != error else { return [] }
        trouble = error
        return [Line(.warning, Sentence.joined("\(error.description); trying again", error.hint))]
    }

    /// The cache did what it was asked to.
    private mutating func recovered() -> [Line] {
        guard trouble != nil else { return [] }
        trouble = nil
        return [Line(.info, "the cache works again")]
    }

    /// A list that is taken though it is cut is told once, and once when it is whole again. Its numbers
    /// change from pull to pull, and a cycle without a list takes nothing back.
    private mutating func noticeLine(_ report: CycleReport) -> Line? {
        guard report.state == .ok, report.rows != nil else { return nil }
        let name = report.list.text
        guard let notice = report.error else {
            let wasNoticed = noticed.remove(report.list) != nil
            return wasNoticed ? Line(.info, "\(name): the list is whole again") : nil
        }
        guard noticed.insert(report.list).inserted else { return nil }
        return Line(.warning, Sentence.joined("\(name): \(notice)", report.hint))
    }

    /// Held deletes are told once, again where there are more of them, and once when there are none.
    private mutating func heldLine(_ report: CycleReport) -> Line? {
        let told = held[report.list]
        held[report.list] = report.heldDeletes
        let name = report.list.text
        guard let deletes = report.heldDeletes else {
            return told.map { _ in Line(.info, "\(name): \(HeldDeletes.ended)") }
        }
        guard deletes.count > told?.count ?? 0 else { return nil }
        return Line(.warning, Sentence.joined("\(name): \(deletes.problem)", deletes.hint))
    }

    /// That no change is sent is told once for each reason, and once when it is over.
    private mutating func haltLine(_ report: CycleReport) -> Line? {
        let told = halted[report.list]
        guard report.halt?.state != told else { return nil }
        halted[report.list] = report.halt?.state
        let name = report.list.text
        guard let halt = report.halt else { return Line(.info, "\(name): \(ReplayHalt.ended)") }
        return Line(.warning, Sentence.joined("\(name): \(halt.problem)", report.haltHint))
    }

    /// Stuck changes are told once, and once when there are none.
    private mutating func stuckLine(_ report: CycleReport) -> Line? {
        let name = report.list.text
        guard let problem = report.changes.problem else {
            let wasTold = stuck.remove(report.list) != nil
            return wasTold ? Line(.info, "\(name): \(WaitingChanges.ended)") : nil
        }
        guard stuck.insert(report.list).inserted else { return nil }
        return Line(.warning, Sentence.joined("\(name): \(problem)", WaitingChanges.hint))
    }

    /// A log that grows is told once, and once when it is short again.
    private mutating func logLine(_ bytes: Int) -> Line? {
        let isExcessive = bytes > CacheStore.excessiveWAL
        guard isExcessive != isLogExcessive else { return nil }
        isLogExcessive = isExcessive
        guard isExcessive else { return Line(.info, "the write-ahead log is short again") }
        return Line(
            .warning,
            "the write-ahead log has \(bytes >> 20) MiB: some program keeps a read transaction open."
                + " Find it with `fuser` or `lsof` on the cache, and end it.")
    }

    /// What was sent, and what became of it; attempts that came to nothing go again, and are not told.
    private static func replayLine(_ name: String, _ replay: ReplayCounts) -> Line? {
        let outcomes = [
            (replay.done, "done"), (replay.rejected, "rejected"), (replay.inDoubt, "in doubt"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard replay.sent > 0, !outcomes.isEmpty else { return nil }
        let changes = replay.sent == 1 ? "1 change" : "\(replay.sent) changes"
        return Line(.info, "\(name): sent \(changes): \(outcomes.joined(separator: ", "))")
    }

    private static func change(_ report: CycleReport) -> String {
        guard report.state != .ok else {
            return joined(["ok", report.rows.map { "\($0) rows" }], ", ")
        }
        let sentence = joined([report.state.rawValue, report.error], ": ")
        return Sentence.joined(sentence, report.hint)
    }

    private static func skippedLine(_ name: String, _ skipped: SkippedRows) -> Line {
        guard skipped.count > 0 else { return Line(.info, "\(name): every row is taken again") }
        let named = skipped.named.prefix(namedRows).map(\.description).joined(separator: "; ")
        let more = skipped.count > Int64(namedRows) ? "; …" : ""
        let rows = skipped.count == 1 ? "1 row" : "\(skipped.count) rows"
        return Line(
            .warning, "\(name): \(rows) could not be taken, nothing is removed: \(named)\(more)")
    }

    private static func details(_ report: CycleReport, at now: BootTime) -> String {
        let replay = report.replay
        let wait = max(0, report.due.milliseconds - now.milliseconds)
        let pulled = report.rows.map { "\($0) rows" } ?? "nothing new"
        return joined(
            [
                "\(report.list.text): cycle ended: \(report.state.rawValue)", report.error,
                report.halt?.problem,
                report.hasPulled ? "pulled \(pulled)" : nil,
                replay.sent > 0
                    ? "sent \(replay.sent), done \(replay.done), rejected \(replay.rejected), "
                        + "in doubt \(replay.inDoubt)" : nil,
                "next in \(wait) ms",
            ], "; ")
    }

    private static func joined(_ parts: [String?], _ separator: String) -> String {
        parts.compactMap { $0 }.joined(separator: separator)
    }
}
