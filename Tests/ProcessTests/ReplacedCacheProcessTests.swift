import Foundation
import Glibc
import Testing

/// A daemon under which the files of the cache are taken away.
@Suite(.timeLimit(.minutes(3))) struct ReplacedCacheProcessTests {
    private static let goesOn = "going on with the new files"

    private func expectPush(_ push: PushStage, from line: Int = 0) async throws {
        try #require(await push.log.line(holding: Self.goesOn, from: line) != nil)
        let before = push.requests(holding: PushStage.create)
        let wrote = try await push.stage.sqlite("INSERT INTO todos(title) VALUES('after')")
        #expect(wrote.code == 0, "\(wrote.errors)")
        try await push.waitForRequests(before + 1, holding: PushStage.create)
    }

    @Test func `a WAL that was deleted is made and watched again, and again`() async throws {
        let push = try await PushStage()
        for _ in 0..<2 {
            let line = push.log.lines.count
            try push.deleteCompanions()
            try await expectPush(push, from: line)
            #expect(try await push.stage.syncd("sync").code == 0)
        }
        #expect(try await push.stage.sqlite("PRAGMA integrity_check").output == "ok\n")
        #expect(await push.stopDaemon() == .exited(0))
    }

    @Test func `a cache that a backup took the place of is gone on with`() async throws {
        let push = try await PushStage()
        let copy = push.stage.root + "/state/syncd/copy"
        #expect(try await push.stage.sqlite("VACUUM INTO '\(copy)'").code == 0)
        try #require(chmod(copy, 0o600) == 0 && rename(copy, push.stage.cache) == 0)
        try push.deleteCompanions()
        try await expectPush(push)
    }

    @Test func `P22: a cache that took the place is kept with the configuration in force`()
        async throws
    {
        let push = try await PushStage()
        try push.stage.write("{", to: push.stage.configuration)
        push.daemon.kill(SIGHUP)
        try #require(await push.log.line(holding: "the old configuration stays") != nil)
        try push.deleteCompanions()
        try await expectPush(push)
        #expect(await push.stopDaemon() == .exited(0))
    }

    @Test func `a cache that was deleted is not made again, and ends the daemon`() async throws {
        let push = try await PushStage()
        try FileManager.default.removeItem(atPath: push.stage.cache)
        #expect(await push.daemon.ending() == .exited(74))
        #expect(await push.log.line(holding: "Start syncd again") != nil)
        #expect(!FileManager.default.fileExists(atPath: push.stage.cache))
    }
}
