import Testing

@Suite struct WordTests {
    private let repository = Repository()

    private func offences(_ code: String, in room: String) -> [String] {
        let source = SwiftCode(code)
        return WordRule.all.flatMap { $0.findings(in: source, at: "Sources/\(room)/A.swift") }
            .map(\.problem)
    }

    @Test func `no room holds a banned word`() throws {
        let rules = WordRule.all
        let findings = try repository.roomFiles().flatMap { path in
            let source = try repository.code(of: path)
            // A program that is not written yet.
            if source.lines == ["print(\"\")", ""] { return [Finding]() }
            return rules.flatMap { $0.findings(in: source, at: path) }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `no test sleeps`() throws {
        let rule = WordRule(
            name: "a test that sleeps", piece: "sleep",
            pattern: /\bTask(?:<[^>]*>)?\.sleep\b|\bThread\.sleep\b|(?:^|[^.\w])u?sleep\s*\(/,
            remedy: "Await the fact: an event, an answer, a value under a lock")
        let findings = try repository.files(below: "Tests", suffix: ".swift").flatMap {
            rule.findings(in: try repository.code(of: $0), at: $0)
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test(arguments: [
        ("Task { }", "an unstructured task"),
        ("let a = Task<Void, Never>{ }", "an unstructured task"),
        ("Task(priority: .low) { }", "an unstructured task"),
        ("Task(executorPreference: e) { }", "an unstructured task"),
        ("Task.detached { }", "Task.detached"),
        ("try await Task.sleep(for: .seconds(1))", "Task.sleep"),
        ("try await Task<Never, Never>.sleep(for: d)", "Task.sleep"),
        ("DispatchQueue.global().async { }", "DispatchQueue.global"),
        ("let s = DispatchSemaphore(value: 0)", "DispatchSemaphore"),
        ("struct A: @unchecked Sendable {}", "@unchecked Sendable without a reason"),
        ("let a = try! f()", "try!"), ("fatalError(\"x\")", "fatalError"), ("print(1)", "print"),
        ("  debugPrint(a)", "print"), ("\"\\(try! f())\"", "try!"),
    ])
    func `a banned word is found in a room that the daemon links`(code: String, problem: String) {
        #expect(offences(code, in: "Daemon") == [problem])
    }

    @Test(arguments: [
        "group.addTask { }", "async let a = f()", "if Task.isCancelled { }", "await Task.yield()",
        "// Task { }", "\"Task.sleep\"", "func reprint(_ a: Int) {}", "func print(_ a: Row) {}",
        "a.print(1)", "try? f()",
        "// Sendable: one owner.\nstruct A: @unchecked Sendable {}",
        "/// A.\n///\n/// Sendable: the lock guards all.\nfinal class A: @unchecked Sendable {}",
        "struct MyTask {}", "let fatalErrors = 1",
    ])
    func `what is allowed is not found`(code: String) {
        #expect(offences(code, in: "Daemon") == [])
    }

    @Test func `main may start the one task, and rooms beside the house may start others`() {
        #expect(offences("Task(executorPreference: e) { }", in: "syncd") == [])
        #expect(offences("Task(executorPreference: e) { }", in: "Store") != [])
        #expect(offences("Task { }", in: "DemoServer") != [])
        #expect(offences("Task { }", in: "URLSessionHTTP") == [])
    }

    @Test func `a reason counts only right above the declaration`() {
        let far = "// Sendable: the other one.\nlet a = 1\nstruct A: @unchecked Sendable {}"
        #expect(offences(far, in: "Host").count == 1)
    }
}
