import APIClient
import Declarations
import Proposals
import Testing

/// Answers of which no declaration can be made, and addresses that are none.
@Suite struct RefusalTests {
    @Test(
        arguments: [
            ("7", .noList(keys: [])), ("\"x\"", .noList(keys: [])), ("null", .noList(keys: [])),
            ("{\"name\": \"a\", \"n\": 1}", .noList(keys: ["name", "n"])),
            (
                #"{"devices": {"lamp": {"on": true}, "door": {"on": false, "a": 1}}}"#,
                .noList(keys: ["devices"], members: "$.devices.*")
            ),
            (
                #"{"lamp": {"on": true}, "door": {"on": false}}"#,
                .noList(keys: ["lamp", "door"], members: "$.*")
            ),
            (#"{"a": {"x": {"on": true}, "y": {"off": 1}}}"#, .noList(keys: ["a"])),
            (#"{"a": {"x": {"on": true}}}"#, .noList(keys: ["a"])),
            (#"{"a": {"x": {"on": true}, "y": 1}}"#, .noList(keys: ["a"])),
            ("[]", .emptyList(path: "$")), ("{\"data\": []}", .emptyList(path: "$.data")),
            ("{\"count\": 0, \"next\": null, \"results\": []}", .emptyList(path: "$.results")),
            ("[1, 2]", .noObjects(path: "$")), ("{\"tags\": [\"a\"]}", .noObjects(path: "$.tags")),
            ("{\"detail\": \"Not found.\"}", .complaint("Not found.")),
            ("{\"error\": \"quota\", \"code\": 1}", .complaint("quota")),
            ("[{\"a\": 1}, {\"a\": 1}]", .noID), ("[{}]", .noID), ("[{\"id\": null}]", .noID),
            ("[{\"id\": 1.5}, {\"id\": true}]", .noID),
        ] as [(String, ProposalError)])
    func `an answer without a list of rows`(_ body: String, _ error: ProposalError) {
        #expect(throws: error) { try Seen("/notes", body).draft() }
        #expect(!error.hint.isEmpty && !error.description.isEmpty)
    }

    @Test func `an object of rows is said to be one`() {
        #expect(
            ProposalError.noList(keys: ["devices"], members: "$.devices.*").hint
                == #"If each member there is a row, write the file by hand, with "rows": "$.devices.*" and"#
                + #" "id": "@key"; else give the address of a list."#)
    }

    @Test func `what is no JSON says where`() {
        #expect(throws: ProposalError.noJSON("line 2: a value is due here")) {
            try Seen("/notes", "[{\"id\":\nx}]").draft()
        }
        #expect(SeenList.isPage(Array(" \n<!doctype html>".utf8)))
        #expect(!SeenList.isPage(Array("[]".utf8)))
    }

    @Test func `a complaint cannot rule the terminal`() {
        let error = ProposalError.complaint("a\u{1b}[2Jb" + String(repeating: "x", count: 1000))
        #expect(error.description.utf8.count < 400)
        #expect(!error.description.unicodeScalars.contains("\u{1b}"))
    }

    @Test(
        arguments: [
            ("https://example.org/api/notes?x=1", "/api/notes?x=1", "notes"),
            ("https://example.org", "/", nil),
            ("https://example.org?x=1", "/?x=1", nil),
            ("HTTPS://Example.org/Notes.json", "/Notes.json", "notes"),
            ("https://example.org/a/todos", "/a/todos", nil),
            ("http://127.0.0.1:8080/lists/my-notes/", "/lists/my-notes/", "my_notes"),
        ] as [(String, String, String?)])
    func `an address has a server and a path`(_ text: String, _ list: String, _ name: String?)
        throws
    {
        let address = try ListAddress(text)
        #expect(address.list == list)
        #expect(address.name?.text == name)
    }

    @Test(arguments: [
        "", "notes", "ftp://example.org/x", "https://me:pass@example.org/x",
        "https://example.org/a b",
        "https://example.org/ä", "https://example.org/x#y", "https://example.org//x",
        "https://example.org/x?api_key=hunter2hunter2",
        "https://example.org/x?a=1&Access%5FToken=hunter2",
    ]) func `an address that is none`(_ text: String) {
        do throws(ListAddress.Problem) {
            _ = try ListAddress(text)
            Issue.record("taken")
        } catch {
            #expect(!error.sentence.contains("hunter2") && !error.sentence.contains("pass@"))
            #expect(!error.hint.isEmpty)
        }
    }

    @Test func `an address belongs to the server that is named`() throws {
        let server = try BaseURL("https://example.org/api/v1")
        #expect(try ListAddress("https://example.org/api/v1/notes", below: server).list == "/notes")
        #expect(throws: ListAddress.Problem.self) {
            try ListAddress("https://example.org/api/v10/notes", below: server)
        }
        #expect(throws: ListAddress.Problem.self) {
            try ListAddress("https://example.com/api/v1/notes", below: server)
        }
    }
}
