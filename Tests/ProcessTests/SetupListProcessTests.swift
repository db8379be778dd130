import Foundation
import Glibc
import HostileHTTP
import Testing

/// `setup` for a person who has a list of any server.
@Suite(.timeLimit(.minutes(3))) struct SetupListProcessTests {
    private static let rows = "[{\"id\": 7, \"title\": \"Leak\"}, {\"id\": 8, \"title\": \"Typo\"}]"
    private static let question = Stage.listQuestion
    private static let token = "its token (not shown; Enter goes on without this list): "

    /// Serves a list at `/notes` to everybody, and one at `/locked` to who knows the token.
    private func server() throws -> (HostileServer, String) {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isKnown = request.fields.contains("Authorization: Bearer hunter2hunter2")
                let isList = request.line.hasPrefix("GET /notes ")
                let isLocked = request.line.hasPrefix("GET /locked ")
                let status =
                    isList || isLocked && isKnown
                    ? "200 OK" : isLocked ? "401 Unauthorized" : "404 Not Found"
                let body = status == "200 OK" ? Self.rows : ""
                connection.send(
                    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        return (server, "http://127.0.0.1:\(server.port)")
    }

    @Test func `each wrong answer tells what to do, and a right one becomes a table`() async throws
    {
        let stage = try Stage()
        let (_, address) = try server()
        let (transcript, ending) = try await stage.setup(
            ["--no-movies", "--no-todos"],
            at: [
                (Self.question, "notes"),
                ("the address of the list cannot be used", nil),
                ("\r\n" + Self.question, "http://a.example/x"),
                ("has no TLS", nil), ("is trusted.\r\n" + Self.question, address + "/none"),
                ("Check the address: the server has nothing there.\r\n" + Self.question, address),
                ("a name for the table that is free", nil),
                ("names one later.\r\n" + Self.question, address + "/notes"),
                ("columns.title: text $.title, in every row", nil),
                ("in every row\r\n" + Self.question, address + "/notes"),
                ("names one later.\r\n" + Self.question + address + "/notes", nil),
                (
                    "free. `syncd declare URL --name NAME --write` names one later.\r\n"
                        + Self.question, "none"
                ),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(transcript.contains("wrote \(stage.root)/config/syncd/lists/notes.json"))
        let synced = try await stage.syncd("sync")
        #expect(synced.code == 0, "\(synced.errors)")
        #expect(try await stage.sqlite("SELECT title FROM notes").output == "Leak\nTypo\n")
    }

    @Test func `a token goes to a file of its own, and is shown nowhere`() async throws {
        let stage = try Stage()
        let (_, address) = try server()
        let refused = "GET \(address)/locked was answered 401\r\n" + Self.token
        let (transcript, ending) = try await stage.setup(
            ["--no-movies", "--no-todos"],
            at: [
                (Self.question, address + "/locked"), (refused, ""),
                (refused + "\r\n" + Self.question, address + "/locked"),
                (
                    refused + "\r\n" + Self.question + address + "/locked\r\n" + refused,
                    "not-this-one"
                ),
                ("knows more ways to send a token.\r\n" + Self.question, address + "/locked"),
                ("a token.\r\n\(Self.question)\(address)/locked\r\n" + refused, "hunter2hunter2"),
                ("in every row\r\n" + Self.question, ""),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(!transcript.contains("hunter2") && !transcript.contains("not-this-one"))
        let file = stage.root + "/config/syncd/locked-token"
        #expect(try stage.mode(of: file) == 0o600)
        #expect(try stage.bytes(of: file) == Data("hunter2hunter2\n".utf8))
        let synced = try await stage.syncd("sync", "locked")
        #expect(synced.code == 0, "\(synced.errors)")
    }

    @Test func `without a terminal, an option gives the list, and names what is wrong`()
        async throws
    {
        let stage = try Stage()
        let (_, address) = try server()
        let none = ["--no-movies", "--no-todos", "--list-url"]
        for (given, code, sentence) in [
            ("x", 65, "--list-url: the address of the list cannot be used"),
            ("\(address)/locked", 77, "`syncd declare URL --write` adds a list later"),
            ("\(address)/none", 65, "Check the address: the server has nothing there."),
            ("none", 64, "without movies, todos and another list there is nothing to sync"),
        ] as [(String, Int32, String)] {
            let ended = try await stage.setup(none + [given])
            #expect(ended.code == code, "\(ended.errors)")
            #expect(ended.errors.contains(sentence), "\(ended.errors)")
            #expect(!FileManager.default.fileExists(atPath: stage.configuration))
        }
        let unchecked = try await stage.setup(none + ["\(address)/notes", "--no-check"])
        #expect(unchecked.code == 64)
        #expect(unchecked.errors.contains("goes with no --no-check"), "\(unchecked.errors)")
        let ended = try await stage.setup(none + ["\(address)/notes"])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try await stage.syncd("sync", "notes").code == 0)
    }
}
