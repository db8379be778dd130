import Foundation
import Glibc
import Testing

/// S3: a file that should declare a list, and does not.
@Suite(.timeLimit(.minutes(2))) struct BrokenListProcessTests {
    private let rows = #"[{"id": 1, "title": "a", "done": false}]"#

    private func file(_ stage: EditStage) -> String {
        stage.stage.root + "/config/syncd/lists/notes.json"
    }

    @Test func `S3: a broken file stops its list alone, and its changes wait and are told`()
        async throws
    {
        let stage = try await EditStage(serving: rows)
        defer { stage.kill() }
        let right = try String(contentsOfFile: file(stage), encoding: .utf8)
        #expect(try await stage.stage.sqlite("UPDATE notes SET done = 1").code == 0)
        try stage.stage.write(#"{"server": "home""#, to: "config/syncd/lists/notes.json")
        #expect(try await stage.stage.run(.syncd, ["todo", "add", "milk"]).code == 0)
        let synced = try await stage.stage.syncd("sync")
        #expect(synced.code == 78)
        #expect(synced.errors.contains("notes: this list is not synced: "), "\(synced.errors)")
        #expect(synced.errors.contains("notes.json:1:"), "\(synced.errors)")
        #expect(
            synced.errors.contains("a change waits, but the file that declares this list is broken")
        )
        let todos = "SELECT state FROM todos WHERE title = 'milk'"
        #expect(try await stage.stage.sqlite(todos).output == "synced\n")
        #expect(try await stage.stage.syncd("sync", "notes").code == 78)
        #expect(try await !stage.atServer().contains(#""done": true"#))
        let status = try await stage.stage.syncd("status")
        #expect(status.code == 78)
        #expect(status.errors.contains("notes: this list is not synced: "))
        #expect(
            try await stage.stage.syncd("status", "--json").output.contains(
                #""broken_lists":[{"list":"notes""#))
        let check = try await stage.stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("problem\tnotes\tthis list is not synced: "))
        // Its table is as it was, and takes changes.
        #expect(try await stage.stage.sqlite("INSERT INTO notes (title) VALUES ('b')").code == 0)
        try stage.stage.write(right, to: "config/syncd/lists/notes.json")
        #expect(try await stage.stage.syncd("sync").code == 0)
        #expect(try await stage.atServer().contains(#""done": true"#))
        #expect(try await stage.stage.syncd("status").code == 0)
    }

    @Test func `S3: the daemon starts with the others, and takes the file when it is corrected`()
        async throws
    {
        let stage = try await EditStage(serving: rows)
        defer { stage.kill() }
        let right = try String(contentsOfFile: file(stage), encoding: .utf8)
        try stage.stage.write("{", to: "config/syncd/lists/notes.json")
        let (daemon, log) = try await stage.stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(await log.line(holding: "notes: this list is not synced: ") != nil)
        try stage.stage.write(right, to: "config/syncd/lists/notes.json")
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "notes: its file is not broken any more") != nil)
        #expect(try await stage.stage.sqlite("UPDATE notes SET done = 1").code == 0)
        #expect(await log.line(holding: "notes: sent 1 change: 1 done") != nil)
        #expect(log.lines.filter { $0.contains("this list is not synced") }.count == 1)
    }
}
