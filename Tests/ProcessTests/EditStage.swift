import Foundation
import Glibc
import Testing

/// A stage with the list `notes`, whose rows can be changed, pulled once from a server.
final class EditStage {
    let stage: Stage
    let address: String
    private var server: Child
    private let arguments: [String]

    init(serving rows: String, more: String = "") async throws {
        stage = try Stage()
        let file = try stage.write(rows, to: "served/notes.json")
        arguments = ["--lists-take-writes", "--list", file]
        (server, address) = try await stage.startServer(arguments)
        try stage.configure(
            address, extra: ", \"servers\": {\"home\": {\"baseURL\": \"\(address)\"}}")
        try stage.write(
            """
            {"server": "home", "list": "/lists/notes", "id": "$.id",
             "create": true, "update": true, "delete": true, \(more)
             "columns": {"title": {"text": "$.title", "write": "both", "required": true},
                         "done": {"boolean": "$.done", "write": "both"},
                         "changed": "text $.changed"}}
            """, to: "config/syncd/lists/notes.json")
        let synced = try await stage.syncd("sync", "notes")
        try #require(synced.code == 0, "\(synced.errors)")
    }

    func kill() { server.kill(SIGKILL) }

    func stopServer() async throws {
        kill()
        _ = await server.ending()
    }

    /// Starts the server again, with the rows of the file as they are now.
    func startServer() async throws {
        let port = String(address.split(separator: ":").last ?? "")
        (server, _) = try await stage.startServer(port: port, arguments)
    }

    /// Another client changes the row with this id at the server.
    func change(_ id: Int, to fields: String) async throws {
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [
                "-c",
                """
                import sys, urllib.request
                urllib.request.urlopen(urllib.request.Request(
                    sys.argv[1], sys.argv[2].encode(), {"Content-Type": "application/json"},
                    method="PATCH"))
                """, "\(address)/lists/notes/\(id)", fields,
            ])
        try #require(ended.code == 0, "\(ended.errors)")
    }

    /// What the server has, asked for without syncd.
    func atServer() async throws -> String {
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [
                "-c",
                "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
                address + "/lists/notes",
            ])
        try #require(ended.code == 0, "\(ended.errors)")
        return ended.output
    }
}
