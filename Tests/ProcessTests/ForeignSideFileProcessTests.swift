import Foundation
import Glibc
import Testing

/// Readers of a cache whose owner has put the name of another file beside it.
@Suite(.timeLimit(.minutes(2))) struct ForeignSideFileProcessTests {
    private let readers = [
        ["query", "SELECT 1"], ["status"], ["todo", "list"], ["outbox", "list"], ["metrics"],
    ]

    private func stageWithCache() async throws -> Stage {
        let stage = try Stage()
        try #require(try await stage.syncd("todo", "add", "milk").code == 0)
        return stage
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `N13: a side file with another name is refused by who reads`(
        suffix: String
    ) async throws {
        let stage = try await stageWithCache()
        let victim = stage.cache + ".victim"
        try Data("precious".utf8).write(to: URL(filePath: victim))
        _ = unlink(stage.cache + suffix)
        try #require(link(victim, stage.cache + suffix) == 0)
        for arguments in readers {
            let read = try await stage.run(.syncd, arguments)
            #expect(read.code != 0)
            #expect(read.errors.contains("\(suffix) has 2 names (hard links)"), "\(read.errors)")
        }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test(.enabled(if: geteuid() == 0, "only root reads with another user's rights"))
    func `N13: root reads a cache with the rights of its owner`() async throws {
        let stage = try await stageWithCache()
        let other: uid_t = 65_534
        for suffix in ["", "-wal", "-shm"] where access(stage.cache + suffix, F_OK) == 0 {
            try #require(chown(stage.cache + suffix, other, other) == 0)
        }
        // Its owner cannot get there.
        for arguments in readers {
            let read = try await stage.run(.syncd, arguments)
            #expect(read.code != 0, "\(arguments): \(read.output)")
            #expect(!read.output.contains("milk"))
        }
    }
}
