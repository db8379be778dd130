import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct MetricsProcessTests {
    private func metrics(_ stage: Stage) async throws -> String {
        let ended = try await stage.syncd("metrics")
        #expect(ended.code == 0, "\(ended.errors)")
        return ended.output
    }

    @Test func `the numbers are those of the views`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        let lines = Set(try await metrics(stage).split(separator: "\n").map(String.init))
        let rows = try await stage.sqlite("SELECT count(*) FROM movies").output.dropLast()
        for line in [
            "syncd_list_rows{list=\"movies\"} \(rows)",
            "syncd_list_state{list=\"movies\",state=\"ok\"} 1",
            "syncd_list_state{list=\"movies\",state=\"offline\"} 0",
            "syncd_list_failures{list=\"todos\"} 0",
            "syncd_outbox_operations{op=\"create\",state=\"queued\"} 2",
            "syncd_outbox_operations{op=\"delete\",state=\"rejected\"} 0",
            "syncd_todos{state=\"queued\"} 2", "syncd_daemon_running 0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        let success = try await stage.sqlite(
            "SELECT strftime('%s', last_success_at) FROM sync_status WHERE list = 'todos'")
        let line = lines.first { $0.hasPrefix("syncd_last_success_timestamp_seconds{list=\"t") }
        #expect(line?.contains("} \(success.output.dropLast())") == true)
    }

    @Test func `a daemon is told, and a list that is left out is not`() async throws {
        let stage = try Stage()
        try stage.write(
            #"{"movies": {"enabled": false}, "todos": {"baseURL": "http://127.0.0.1:9", "#
                + #""email": "a@b.c", "password": "x"}}"#,
            to: stage.configuration)
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        let text = try await metrics(stage)
        #expect(text.contains("\nsyncd_daemon_running 1\n"))
        #expect(!text.contains("\"movies\""))
    }

    @Test func `every line is one that Prometheus reads, and every metric is documented`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let text = try await metrics(stage)
        let page = try String(
            contentsOfFile: DocumentExample.path("docs/metrics.md"), encoding: .utf8)
        var families: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) [^\\]+/) {
                families.append(String(help.1))
                continue
            }
            let family = try #require(families.last)
            if line == "# TYPE \(family) gauge" { continue }
            let sample =
                #/([a-z_]+)(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? -?[0-9]+(\.[0-9]+)?/#
            #expect(line.wholeMatch(of: sample)?.1 == family[...], "\(line)")
        }
        #expect(Set(families).count == families.count)
        for family in families { #expect(page.contains("| `\(family)` |"), "\(family)") }
        // The checker of Prometheus itself, where it is installed.
        let checker = Program(path: "/usr/bin/promtool")
        guard checker.exists else { return }
        let checked = try await stage.run(checker, ["check", "metrics"], input: text)
        #expect(checked.code == 0, "\(checked.errors)")
    }
}
