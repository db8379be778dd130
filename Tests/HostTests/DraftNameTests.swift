import Glibc
import Host
import TestSupport
import Testing

@Suite struct DraftNameTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    /// A number that no process has: of a child that is gone.
    private func deadProcess() throws -> pid_t {
        var child: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        try #require(posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == 0)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        return child
    }

    @Test func `what a killed process left is removed, with its journal`() throws {
        let dead = try deadProcess()
        try temporary.write(".token.json.\(dead).0.draft")
        try temporary.write(".token.json.\(dead).17.draft")
        try temporary.write(".token.json.\(dead).0.draft-journal")
        DraftName(of: "token.json").removeLeftovers(in: temporary.path)
        #expect(try temporary.names() == [])
    }

    @Test func `the draft of a process that lives stays`() throws {
        let own = DraftName(of: "token.json").candidate(3)
        #expect(own == ".token.json.\(getpid()).3.draft")
        let kept = [own, ".token.json.1.0.draft"]
        for name in kept { try temporary.write(name) }
        DraftName(of: "token.json").removeLeftovers(in: temporary.path)
        #expect(try temporary.names() == kept.sorted())
    }

    @Test func `what is no draft of this file stays`() throws {
        let dead = try deadProcess()
        let kept = [
            "token.json.\(dead).0.draft", ".token.json.\(dead).draft", ".token.json.\(dead).0",
            ".token.json.\(dead).x.draft", ".token.json.0.0.draft", ".token.json.-1.0.draft",
            ".token.jso.\(dead).0.draft", ".token.json.backup.\(dead).0.draft",
            ".token.json.\(dead).0.draft-wal", ".token.json.99999999999.0.draft", "token.json",
        ]
        for name in kept { try temporary.write(name) }
        DraftName(of: "token.json").removeLeftovers(in: temporary.path)
        #expect(try temporary.names() == kept.sorted())
    }

    @Test func `a file that is replaced removes what was left of it`() throws {
        let dead = try deadProcess()
        try temporary.write(".token.json.\(dead).0.draft")
        let directory = try StateDirectory(existing: temporary.path, user: geteuid())
        try directory.replaceFile("token.json", with: [1])
        #expect(try temporary.names() == ["token.json"])
    }
}
