import Foundation
import Glibc
import Testing

/// What people meet who have not read much.
@Suite(.timeLimit(.minutes(2))) struct FirstContactProcessTests {
    @Test func `short options ask for help and the version`() async throws {
        let stage = try Stage()
        let version = try await stage.syncd("version").output
        #expect(try await stage.syncd("-v").output == version)
        #expect(try await stage.syncd("-h").output == stage.syncd("help").output)
        #expect(
            try await stage.syncd("outbox", "-h").output == stage.syncd("help", "outbox").output)
        for words in [["list"], ["todo", "add"], ["query"]] {
            let short = try await stage.run(.syncd, words + ["-h"])
            #expect(try await short.output == stage.run(.syncd, ["help"] + words).output)
            #expect(short.code == 0)
        }
        #expect(try await stage.syncd("list", "-x").code == 64)
    }
}
