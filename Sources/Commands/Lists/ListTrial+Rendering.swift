internal import CommandLine
internal import Declarations
internal import Rendering
internal import Rules
internal import Store
internal import SyncEngine
internal import Text

extension ListTrial.Result {
    private var skipped: SkippedRows { outcome.report?.skipped ?? .none }
    private var milliseconds: Int64? { outcome.row.durationMilliseconds }

    /// What the command ends with.
    var status: ExitCode {
        guard outcome.status == .ok else { return outcome.status }
        // A read follows a redirect. A write does not.
        let isMoved = betterLine != nil && !declaration.isReadOnly
        return outcome.problem != nil || !outcome.row.mistakes.isEmpty || skipped.count > 0
            || isMoved || isCut || increment?.isFault == true ? .findings : .ok
    }

    /// Whether the answers tell of rows that did not come.
    private var isCut: Bool {
        outcome.report?.hasPulled == true && outcome.row.complete == false && skipped.count == 0
    }

    /// What was found, a line each.
    var facts: [(name: String, value: String)] {
        var facts = [("list", declaration.name.text), ("state", outcome.row.state)]
        if outcome.report?.hasPulled == true {
            facts += [
                ("rows", "\(outcome.row.rows ?? 0)"), ("skipped rows", "\(skipped.count)"),
                ("complete", outcome.row.complete == true ? "yes" : "no"),
                ("requests", "\(first.requests)"),
                ("time", milliseconds.map { "\($0) ms" } ?? ""),
                ("asked again", again),
            ]
            facts += increment?.facts ?? []
        }
        return facts
    }

    /// What the second pull says of validators.
    private var again: String {
        guard let second else { return "" }
        if second.unchanged > 0 {
            return
                "\(second.unchanged) of \(second.requests) answers say that nothing has changed (304)"
        }
        guard declaration.isReadOnly || declaration.paging.isOneAnswer else {
            return "every page is read anew: programs write to this list"
        }
        return
            "the whole list came again (no ETag or Last-Modified works)"
    }

    /// What is wrong, for standard error.
    var remarks: [String] {
        var remarks: [String] = []
        if let problem = outcome.problem {
            remarks.append(Sentence.joined(problem, outcome.hint))
        }
        remarks += outcome.row.mistakes.map {
            Sentence.joined($0.problem, $0.hint(of: declaration.name.text))
        }
        if skipped.count > 0 {
            let named = skipped.named.map(\.description)
            let rest = skipped.count > Int64(named.count) ? ", …" : ""
            remarks.append(
                "rows skipped: \(skipped.count): \(named.joined(separator: ", "))\(rest)")
        }
        if isCut, outcome.problem == nil {
            remarks.append(
                "the list is cut: the server tells of more rows, or of a next page. Say in \"pages\""
                    + " how they are read")
        }
        if let betterLine {
            remarks.append(
                "the server redirects each read of the list. Write \(betterLine) in "
                    + "\(declaration.name).json")
        }
        if let remark = increment?.remark { remarks.append(remark) }
        return remarks.map { "\(declaration.name): \($0)" }
    }

    var json: JSONValue {
        let hasPulled = outcome.report?.hasPulled == true
        return [
            "list": .string(declaration.name.text), "state": .string(outcome.row.state),
            "error": .optional(outcome.problem), "hint": .optional(outcome.hint),
            "rows": .optional(hasPulled ? outcome.row.rows : nil),
            "complete": hasPulled ? outcome.row.complete.map { .bool($0) } ?? .null : .null,
            "skipped_rows": .integer(skipped.count),
            "skipped": .array(
                skipped.named.map {
                    ["place": .string($0.place), "problem": .string($0.problem)]
                }),
            "requests": .integer(first.requests), "duration_ms": .optional(milliseconds),
            "requests_again": .optional(second?.requests),
            "unchanged_again": .optional(second?.unchanged),
            "increment": increment?.json ?? .null,
            "promises": .array(declaration.promises.map { .string($0) }),
        ]
    }
}

extension IncrementTrial {
    fileprivate var json: JSONValue {
        [
            "mark": .optional(mark), "rows": .optional(counts?.shown),
            "older": .optional(counts?.earlierShown),
            "missing": .optional(counts == nil ? nil : Int64(lacking)),
            "without_moment": .optional(counts?.withoutMoment), "problem": .optional(remark),
        ]
    }
}
