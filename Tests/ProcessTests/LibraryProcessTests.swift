import Testing

/// libcurl comes with thirty libraries, whose loading takes longer than most commands.
@Suite(.timeLimit(.minutes(2))) struct LibraryProcessTests {
    /// Whether the dynamic linker opened libcurl, by its own account. Source: ld.so(8), `LD_DEBUG`.
    private func loadsCurl(_ stage: Stage, _ words: [String]) async throws -> Bool {
        let ended = try await stage.run(.syncd, words, environment: ["LD_DEBUG": "files"])
        try #require(ended.errors.contains("libsqlite3"), "\(words): \(ended.errors.prefix(500))")
        return ended.errors.contains("libcurl")
    }

    @Test(arguments: [
        ["todo", "add", "milk"], ["todo", "list"], ["movies"], ["status"], ["outbox", "list"],
        ["metrics"], ["query", "SELECT 1"], ["help"],
    ])
    func `a command that asks no server does not load libcurl`(words: [String]) async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:1")
        #expect(try await stage.syncd("todo", "add", "bread").code == 0)
        #expect(try await !loadsCurl(stage, words))
    }

    @Test(arguments: [["version"], ["sync", "--timeout", "5s"], ["check"]])
    func `one that asks a server, or tells its version, does`(words: [String]) async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:1")
        #expect(try await stage.syncd("todo", "add", "bread").code == 0)
        #expect(try await loadsCurl(stage, words))
    }
}
