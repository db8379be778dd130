import APIClient
import DemoServer
import Foundation
import ReferenceAPI
import TestSupport
import Testing

@Suite struct StateFileTests {
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private func refusal(_ path: String) -> DemoError? {
        do {
            let test = try TestServer(stateFile: path)
            test.server.stop()
            return nil
        } catch {
            return error as? DemoError
        }
    }

    @Test func `users, tokens, todos and keys survive, in a file of our own only`() async throws {
        let path = scratch.path(of: "state")
        let keys: (inout ReferenceBehaviour) -> Void = { $0.honoursIdempotencyKeys = true }
        let first = try TestServer(stateFile: path, behaviour: keys)
        let token = try await first.token()
        for title in ["a", "b\n\u{2028}", "c"] {
            _ = try await first.todos().createTodo(
                title: title, idempotencyKey: title == "c" ? "key" : nil, token: token,
                timeout: .seconds(10))
        }
        let id = try #require(ServerID("1"))
        try await first.todos().deleteTodo(id, token: token, timeout: .seconds(10))
        let state = first.server.state
        first.server.stop()

        let second = try TestServer(stateFile: path, behaviour: keys)
        defer { second.server.stop() }
        #expect(second.server.state == state)
        let again = try await second.todos().createTodo(
            title: "c", idempotencyKey: "key", token: token, timeout: .seconds(10))
        #expect(again.todo.id?.text == "3")
        #expect(second.server.state.todos.map(\.title) == ["b\n\u{2028}", "c"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["state"])
    }

    /// What a list answers.
    private func rows(_ server: TestServer) throws -> Substring? {
        try RawConnection.exchange(
            "GET /lists/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            port: server.server.port
        ).split(separator: "\r\n").last
    }

    private func write(_ method: String, _ path: String, _ body: String, _ test: TestServer) throws
    {
        _ = try RawConnection.exchange(
            """
            \(method) /lists/notes\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
            Idempotency-Key: \(method)\(path)\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """, port: test.server.port)
    }

    @Test func `rows of a list that takes writes survive, with their ids and keys`() throws {
        let path = scratch.path(of: "state")
        var list = ReferenceList(
            rows: [#"{"id":1,"a":1}"#, #"{"id":2,"a":2}"#], paging: .none, size: 1)
        list.isWritable = true
        func start() throws -> TestServer {
            try TestServer(
                stateFile: path, lists: ["notes": list],
                behaviour: { $0.honoursIdempotencyKeys = true })
        }
        let first = try start()
        try write("POST", "", #"{"a":3}"#, first)
        try write("PATCH", "/2", #"{"a":5,"b":[1]}"#, first)
        try write("DELETE", "/1", "", first)
        let kept = try #require(try rows(first))
        #expect(kept == #"[{"id":2,"a":5,"b":[1]},{"id":1000001,"a":3}]"#)
        #expect(try scratch.text(of: "state").split(separator: "\n").count == 6)
        first.server.stop()

        // Once from the changes, once from a snapshot of them.
        for _ in 1...2 {
            let next = try start()
            #expect(try rows(next) == kept)
            next.server.stop()
        }
        let last = try start()
        defer { last.server.stop() }
        try write("POST", "", #"{"a":3}"#, last)
        #expect(try rows(last) == kept)
        try write("POST", "?again", #"{"a":4}"#, last)
        #expect(try rows(last) == kept.dropLast() + #",{"id":1000002,"a":4}]"#)
    }

    @Test func `a list that takes no writes comes from its file`() throws {
        let path = scratch.path(of: "state")
        for row in ["1", "2"] {
            let list = ReferenceList(rows: [row], paging: .none, size: 1)
            let test = try TestServer(stateFile: path, lists: ["notes": list])
            #expect(try rows(test) == "[\(row)]")
            test.server.stop()
        }
    }

    @Test func `a state of before there were lists is read`() throws {
        let made = try TestServer(stateFile: scratch.path(of: "state"))
        let state = made.server.state
        made.server.stop()
        let old = try scratch.text(of: "state").replacingOccurrences(of: #""lists":{},"#, with: "")
        #expect(try !old.contains("lists") && scratch.text(of: "state").contains("lists"))
        let test = try TestServer(stateFile: scratch.write("old", old))
        defer { test.server.stop() }
        #expect(test.server.state == state)
    }

    @Test func `a change is one line, and a start makes one line of them`() async throws {
        let first = try TestServer(stateFile: scratch.path(of: "state"))
        _ = try await first.token()
        _ = try await first.token()
        let lines = try scratch.text(of: "state").split(separator: "\n").count
        first.server.stop()
        #expect(lines == 4)  // Snapshot, demo account, two tokens.
        let second = try TestServer(stateFile: scratch.path(of: "state"))
        defer { second.server.stop() }
        #expect(try scratch.text(of: "state").split(separator: "\n").count == 1)
    }

    @Test func `a last line that was cut anywhere is left out, what came before stays`()
        async throws
    {
        let whole = try TestServer(stateFile: scratch.path(of: "state"))
        let token = try await whole.token()
        let before = whole.server.state
        _ = try await whole.todos().createTodo(
            title: "last", idempotencyKey: nil, token: token, timeout: .seconds(10))
        whole.server.stop()
        let text = try scratch.text(of: "state")
        let last = try #require(text.dropLast().lastIndex(of: "\n"))
        let cuts = text[last...].dropFirst().indices
        #expect(cuts.count > 20)
        for cut in cuts {
            let path = try scratch.write("cut", String(text[..<cut]))
            let test = try TestServer(stateFile: path)
            #expect(test.server.state == before)
            test.server.stop()
        }
    }

    @Test(arguments: [
        ("milk\n", 1), ("no newline", 1), ("{}\n", 1),
        (#"{"format":"demo-api state 2"}"# + "\n", 1),
        (#"{"changes":[]}"# + "\n", 1), ("\n", 1), ("SNAPSHOT\nnoise\nSNAPSHOT", 2),
        ("SNAPSHOT\n{}\n", 2), ("SNAPSHOT\n" + #"{"changes":[{"boom":{}}]}"# + "\n", 2),
        ("SNAPSHOT\n" + #"{"changes":[]}"# + "\n\n", 3),
    ])
    func `a file that is not ours or not whole is refused by its line and left alone`(
        content: String, line: Int
    ) throws {
        let made = try TestServer(stateFile: scratch.path(of: "made"))
        made.server.stop()
        let snapshot = try scratch.text(of: "made").split(separator: "\n")[0]
        let text = content.replacingOccurrences(of: "SNAPSHOT", with: snapshot)
        let path = try scratch.write("state", text)
        let error = try #require(refusal(path))
        #expect(error == .stateNotOurs(path: path, line: line))
        #expect(error.exitStatus == 65)
        #expect(try scratch.text(of: "state") == text)
    }

    @Test func `an empty file is a state that begins`() throws {
        #expect(refusal(try scratch.write("state", "")) == nil)
    }

    @Test func `a directory, a link, a FIFO and a missing directory are refused with 65`() throws {
        try scratch.write("target", "")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path(of: "link"), withDestinationPath: scratch.path(of: "target"))
        try #require(mkfifo(scratch.path(of: "fifo"), 0o600) == 0)
        for path in [
            scratch.path, scratch.path(of: "link"), scratch.path(of: "fifo"),
            scratch.path(of: "no/state"),
        ] {
            let error = try #require(refusal(path), "\(path)")
            #expect(error.exitStatus == 65)
            #expect(error.description.contains(path))
        }
    }

    @Test func `a state file has one server at a time, also after its file was replaced`() throws {
        let path = scratch.path(of: "state")
        let first = try TestServer(stateFile: path)
        #expect(refusal(path) == .stateInUse(path: path))
        #expect(refusal(path) == .stateInUse(path: path))
        first.server.stop()
    }

    @Test func `what a killed start left behind is no obstacle`() throws {
        try scratch.write("state.new", "half a snapsh")
        #expect(refusal(scratch.path(of: "state")) == nil)
    }
}
