import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct JSONDocumentTests {
    /// A command of docs/json.md, and the document that stands below it.
    private struct Example {
        var command: String
        var document: String
    }

    private func examples() throws -> [Example] {
        let text = try String(
            contentsOfFile: DocumentExample.path("docs/json.md"), encoding: .utf8)
        let pattern = /<!-- shape: (.*) -->\n```json\n((?:.*\n)*?)```/
        return text.matches(of: pattern).map {
            Example(command: String($0.1), document: String($0.2))
        }
    }

    @Test func `each command prints the members that its example has`() async throws {
        let examples = try examples()
        #expect(examples.count >= 9)
        let stage = try Stage()
        let list = try stage.write(
            "[{\"id\": 1, \"title\": \"a\", \"done\": true}]", to: "served/notes.json")
        let (server, address) = try await stage.startServer("--list", list)
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        // The account that is made.
        try stage.write(
            #"{"todos": {"baseURL": "\#(address)", "email": "new@example.com", "password": "new"}}"#,
            to: "new.json")
        #expect(try await stage.syncd("todo", "add", "an older one").code == 0)
        for example in examples {
            let ended = try await stage.run(
                .shell, ["-euc", example.command],
                environment: stage.documented.merging(["SERVER": address]) { $1 })
            #expect(ended.code == 0, "\(example.command): \(ended.errors)")
            let told = try JSONShape(text: example.document)
            let printed = try JSONShape(text: ended.output)
            #expect(told.differences(from: printed) == [], "\(example.command)")
        }
    }

    @Test func `every command that has the option is on the page`() async throws {
        let page = try String(
            contentsOfFile: DocumentExample.path("docs/json.md"), encoding: .utf8)
        let stage = try Stage()
        let help = try await stage.syncd("help").output
        for line in help.matches(of: #/\n  ([a-z]+(?: [a-z]+)?)  /#) {
            let name = String(line.1)
            let text = try await stage.run(
                .syncd, ["help"] + name.split(separator: " ").map(String.init))
            guard text.output.contains("\n  --json ") else { continue }
            let isThere = page.contains("\n## `syncd \(name) --json`\n")
            #expect(isThere, "\(name)")
        }
    }

    @Test(arguments: [
        ("{\"a\": 1}", "{\"a\": \"1\"}"), ("{\"a\": 1}", "{\"b\": 1}"), ("[1]", "[\"1\"]"),
        ("{\"a\": 1, \"b\": 2}", "{\"a\": 1}"), ("true", "1"), ("[[1]]", "[1]"),
    ]) func `shapes that differ are told apart`(one: String, other: String) throws {
        let (one, other) = (try JSONShape(text: one), try JSONShape(text: other))
        #expect(!one.differences(from: other).isEmpty)
        #expect(one.differences(from: one).isEmpty)
    }
}
