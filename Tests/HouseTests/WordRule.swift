/// A word that must not stand in the code of some rooms, and what to write instead.
struct WordRule {
    var name: String
    /// A piece of every offence: only where it stands is the pattern tried, which is slow.
    var piece: String
    /// What is looked for in code, comments and strings left out.
    var pattern: Regex<Substring>
    var remedy: String
    /// Nil for every room.
    var rooms: Set<String>?
    /// What may stand in the line all the same, in these rooms or, with nil, in all.
    var exception: (pattern: Regex<Substring>, rooms: Set<String>?)?
    /// A comment right above, or in the line, that begins so is a written reason.
    var reason: String?

    /// The rooms that `syncd run` links.
    static let running: Set<String> = [
        "syncd", "Commands", "CommandLine", "Rendering", "Daemon", "Configuration", "SyncEngine",
        "Recovery", "Proposals", "Store", "APIClient", "CurlHTTP", "SQLite", "Tables",
        "Declarations", "Host", "Text", "Migrations", "ReadyLists",
    ]

    /// What Sources may not hold.
    static var all: [WordRule] {
        [
            WordRule(
                name: "an unstructured task", piece: "Task",
                pattern: /\bTask(?:<[^>]*>)?\s*(?:\{|\()/,
                remedy: "It runs on the global executor: use a task group, async let, or the one "
                    + "Task(executorPreference:) of main (design: nothing on the global executor)",
                rooms: running.union(["DemoServer", "demo-api"]),
                exception: (
                    /\bTask\(executorPreference\b/, ["Commands", "syncd", "DemoServer", "demo-api"]
                )),
            WordRule(
                name: "Task.detached", piece: "Task",
                pattern: /\bTask(?:<[^>]*>)?\.(?:detached|immediate)\b/,
                remedy: "Use a task group or async let", rooms: running),
            WordRule(
                name: "Task.sleep", piece: "Task", pattern: /\bTask(?:<[^>]*>)?\.sleep\b/,
                remedy: "Wait for a timer source of the room Host", rooms: running),
            WordRule(
                name: "DispatchQueue.global", piece: "global",
                pattern: /\bDispatchQueue\s*\.\s*global\b|\.global\(/,
                remedy: "Use the serial queue of the executor that was passed in", rooms: running),
            WordRule(
                name: "DispatchSemaphore", piece: "DispatchSemaphore",
                pattern: /\bDispatchSemaphore\b/,
                remedy: "Blocking a thread of a pool can stop the process: await a continuation",
                rooms: running),
            WordRule(
                name: "@unchecked Sendable without a reason", piece: "@unchecked",
                pattern: /@unchecked\s+Sendable\b/,
                remedy: "Write above it a comment that begins ‘Sendable:’ and says why it is safe",
                reason: "Sendable:"),
            WordRule(
                name: "try!", piece: "try!", pattern: /\btry!/, remedy: "Throw, or handle the error"
            ),
            WordRule(
                name: "fatalError", piece: "fatalError", pattern: /\bfatalError\s*\(/,
                remedy: "Throw for what comes from outside; an own invariant is a precondition"),
            WordRule(
                name: "print", piece: "rint", pattern: /(?:^|[^.\w])(?:debugPrint|print)\s*\(/,
                remedy: "It ignores a full disk: use the checked writes of the room Host",
                exception: (/\bfunc\s+print\b/, nil)),
        ]
    }

    /// Each line of `source` that holds the word and neither the exception nor a reason.
    func findings(in source: SwiftCode, at path: String) -> [Finding] {
        let room = Repository.room(of: path)
        guard rooms?.contains(room) ?? true else { return [] }
        return source.numbered.compactMap { line, code in
            guard code.contains(piece), code.contains(pattern), !isExcepted(code, in: room),
                !hasReason(in: source.lines, above: line)
            else { return nil }
            return Finding(file: path, line: line, problem: name, remedy: remedy)
        }
    }

    private func isExcepted(_ code: String, in room: String) -> Bool {
        guard let exception, exception.rooms?.contains(room) ?? true else { return false }
        return code.contains(exception.pattern)
    }

    private func hasReason(in lines: [String], above line: Int) -> Bool {
        guard let reason else { return false }
        let isComment = /^\s*\/\/\/?\s?/
        let above = lines[..<(line - 1)].reversed().prefix { $0.contains(isComment) }
        return (above + [lines[line - 1]]).contains {
            $0.contains("// \(reason)") || $0.contains("/// \(reason)")
        }
    }
}
