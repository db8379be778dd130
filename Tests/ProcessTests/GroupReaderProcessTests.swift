import Foundation
import Glibc
import Testing

/// A member of the group of the machine's service, who reads its cache and cannot write it.
@Suite(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0, "other users need root"))
struct GroupReaderProcessTests {
    /// The service, whose number is its group's, too. No system has a user with this one.
    private static let service: uid_t = 654_321
    private static let reader: uid_t = 654_322

    private let stage: Stage

    /// A cache as docs/operations.md sets it up, and the machine's configuration.
    init() async throws {
        stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let cache = stage.root + "/lib/cache.sqlite"
        try stage.configure(address, extra: ", \"database\": \"\(cache)\"")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.syncd("todo", "add", "the service's").code == 0)
        let secret = try stage.write("never sent\n", to: "secret")
        try stage.write(
            """
            {"movies": {"enabled": false}, "database": "\(cache)",
             "todos": {"baseURL": "\(address)", "email": "demo@example.com",
                       "passwordFile": "\(secret)"}}
            """, to: stage.configuration, mode: 0o644)
        let folder = stage.root + "/lib"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try #require(chown(folder + "/" + name, Self.service, Self.service) == 0)
            try #require(chmod(folder + "/" + name, name.hasSuffix(".lock") ? 0o600 : 0o640) == 0)
        }
        for path in [secret, folder] {
            try #require(chown(path, path == folder ? Self.service : 0, Self.service) == 0)
            try #require(chmod(path, path == folder ? 0o750 : 0o640) == 0)
        }
        for path in ["", "/config", "/config/syncd"] {
            try #require(chmod(stage.root + path, 0o755) == 0)
        }
    }

    private func syncd(_ arguments: [String]) async throws -> Finished {
        try await stage.run(
            Program(path: "/usr/bin/setpriv"),
            [
                "--reuid=\(Self.reader)", "--regid=\(Self.service)", "--clear-groups", "--",
                Program.syncd.path,
            ] + arguments)
    }

    @Test func `the cache can be read, and check finds nothing wrong`() async throws {
        let list = try await syncd(["todo", "list"])
        #expect(list.code == 0 && list.output.contains("the service's"), "\(list.errors)")
        let check = try await syncd(["check"])
        #expect(check.code == 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains("belongs to user #\(Self.service), and you can only read it"))
        #expect(!check.output.contains("chown") && !check.output.contains("chmod"))
    }

    @Test func `a change is refused with the way to make it, which is not chown`() async throws {
        for arguments in [["todo", "add", "mine"], ["todo", "rm", "1"], ["sync"]] {
            let ended = try await syncd(arguments)
            #expect(ended.code == 74, "\(arguments): \(ended.errors)")
            #expect(ended.errors.contains("and you can only read it"), "\(ended.errors)")
            #expect(ended.errors.contains("sudo -u '#\(Self.service)' syncd"), "\(ended.errors)")
            #expect(!ended.errors.contains("chown"))
        }
    }
}
