import Foundation
import Glibc
import Testing

/// What any program writes is at the server without waiting for anything to be due.
@Suite(.timeLimit(.minutes(3))) struct PushProcessTests {
    private func insert(_ title: String) -> String {
        "INSERT INTO todos(title) VALUES('\(title)');"
    }

    @Test func `a todo of a program that exits is pushed`() async throws {
        let push = try await PushStage()
        #expect(try await push.stage.sqlite(insert("milk")).code == 0)
        try await push.waitForRequests(1, holding: PushStage.create)
    }

    @Test func `a todo of a program that keeps its connection is pushed, and the next one too`()
        async throws
    {
        let push = try await PushStage()
        let (writer, output) = try await push.startWriter(insert("one"))
        defer { writer.kill(SIGKILL) }
        #expect(await output.line(holding: "done") != nil)
        try await push.waitForRequests(1, holding: PushStage.create)
        let (other, _) = try await push.startWriter(insert("two") + insert("three"))
        defer { other.kill(SIGKILL) }
        try await push.waitForRequests(3, holding: PushStage.create)
    }

    @Test(
        .enabled(if: Tracing.isAllowed, "strace may not delay a call here"),
        arguments: ["300ms", "3s"])
    func `a todo whose commit is long on its way to the disk is pushed`(delay: String)
        async throws
    {
        let push = try await PushStage()
        let (writer, output) = try await push.startWriter(
            insert("late"),
            under: [
                Tracing.program.path, "-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                "inject=fdatasync:delay_enter=\(delay)",
            ])
        defer { writer.kill(SIGKILL) }
        // The writer stays: nothing but its write lock tells that there is more to come.
        try await push.waitForRequests(1, holding: PushStage.create)
        #expect(await output.line(holding: "done") != nil)
    }

    @Test func `a delete is pushed`() async throws {
        let push = try await PushStage()
        _ = try await push.stage.sqlite(insert("milk"))
        try await push.waitForRequests(1, holding: PushStage.create)
        #expect(try await push.stage.syncd("sync", "todos").code == 0)
        #expect(try await push.stage.sqlite("DELETE FROM todos WHERE title = 'milk'").code == 0)
        try await push.waitForRequests(1, holding: "DELETE /todos/")
    }

    @Test func `a burst of inserts is pushed by few cycles, each todo once`() async throws {
        let push = try await PushStage()
        let before = push.cycles
        let (writer, _) = try await push.startWriter(
            (0..<100).map { insert("todo \($0)") }.joined(separator: "\n"))
        defer { writer.kill(SIGKILL) }
        try await push.waitForRequests(100, holding: PushStage.create)
        #expect(try await push.stage.syncd("sync", "todos").code == 0)
        #expect(push.requests(holding: PushStage.create) == 100)
        #expect(push.cycles - before <= 50, "\(push.cycles - before)")
        let synced = try await push.stage.sqlite(
            "SELECT count(*), count(DISTINCT title) FROM todos WHERE state = 'synced'")
        #expect(synced.output == "100|100\n")
    }

    @Test func `one transaction with many todos is one cycle`() async throws {
        let push = try await PushStage()
        let before = push.log.lines.count
        let sql = (0..<100).map { insert("todo \($0)") }.joined()
        #expect(try await push.stage.sqlite("BEGIN; \(sql) COMMIT").code == 0)
        let line = await push.log.line(holding: "; sent ", from: before)
        #expect(line?.contains("; sent 100, done 100, ") == true, "\(line ?? "it ended")")
    }

    @Test func `the daemon's own writes start no cycle`() async throws {
        let push = try await PushStage()
        let before = push.cycles
        let lists = push.requests(holding: "GET /todos")
        // No signal: one that comes when its request is answered already asks for another cycle.
        for turn in 1...5 {
            let sql = "INSERT INTO sync_requests(list) VALUES('todos')"
            #expect(try await push.stage.sqlite(sql).code == 0)
            try await push.waitForRequests(lists + turn, holding: "GET /todos")
        }
        // Looked for in the order of the writes: what came before this one has had its turn.
        _ = try await push.stage.sqlite(insert("last"))
        try await push.waitForRequests(1, holding: PushStage.create)
        #expect(push.cycles - before <= 6, "five and the push")
    }

    @Test func `a request by plain SQL is served and vanishes`() async throws {
        let push = try await PushStage()
        let before = push.requests(holding: "GET /todos")
        #expect(
            try await push.stage.sqlite("INSERT INTO sync_requests(list) VALUES('todos')").code
                == 0)
        try await push.waitForRequests(before + 1, holding: "GET /todos")
        // Requests are answered in the order they came in.
        #expect(try await push.stage.syncd("sync", "todos").code == 0)
        #expect(try await push.stage.sqlite("SELECT count(*) FROM sync_requests").output == "0\n")
    }

    @Test func `what was written while no daemon ran is pushed when one starts`() async throws {
        let push = try await PushStage()
        _ = await push.stopDaemon()
        _ = try await push.stage.sqlite(insert("milk"))
        let (daemon, _) = try await push.stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        try await push.waitForRequests(1, holding: PushStage.create)
    }
}
