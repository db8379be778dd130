import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A home, a state directory and a configuration of their own for one test, removed with it.
final class Stage: Sendable {
    private let folder: TemporaryDirectory
    var root: String { folder.path }
    let account: DemoAccount

    init() throws {
        account = try DemoAccount.read()
        folder = try TemporaryDirectory(
            in: DemoAccount.kept ?? TemporaryDirectory.inMemory, isKept: DemoAccount.kept != nil)
        try #require(Program.syncd.exists, "build the programs first: swift build")
    }

    var cache: String { root + "/state/syncd/cache.sqlite" }
    var configuration: String { root + "/config/syncd/config.json" }

    var environment: [String: String] {
        [
            "HOME": root, "XDG_STATE_HOME": root + "/state", "XDG_CONFIG_HOME": root + "/config",
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ].merging(Self.sanitizing) { $1 }
    }

    /// Where the tests run under a sanitizer (`scripts/sanitize`), so do the programs, and report to
    /// the same place.
    private static let sanitizing = ProcessInfo.processInfo.environment.filter {
        ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key)
    }

    /// Writes a file of the stage, and its directories.
    @discardableResult
    func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws -> String {
        let full = path.hasPrefix("/") ? path : root + "/" + path
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: full).deletingLastPathComponent().path,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: full))
        try #require(chmod(full, mode) == 0)
        return full
    }

    /// Configures both servers at `server`. The time for a request is one that it also keeps on a
    /// machine on which everything else is slow.
    func configure(_ server: String, extra: String = "") throws {
        try write(
            """
            {"movies": {"baseURL": "\(server)/3", "token": "\(account.token)"},
             "todos": {"baseURL": "\(server)", "email": "demo@example.com",
                       "password": "\(account.password)"},
             "http": {"timeout": "10s", "connectTimeout": "10s"}\(extra)}
            """, to: configuration)
    }

    func bytes(of path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Runs a program to its end.
    func run(
        _ program: Program, _ arguments: [String], input: String = "", output: String? = nil,
        environment extra: [String: String] = [:]
    ) async throws -> Finished {
        try await run(
            program, raw: arguments.map { Array($0.utf8CString) }, input: input, output: output,
            environment: extra)
    }

    /// The same with arguments that may be no UTF-8.
    func run(
        _ program: Program, raw arguments: [[CChar]], input: String = "", output: String? = nil,
        environment extra: [String: String] = [:]
    ) async throws -> Finished {
        let name = UUID().uuidString
        let inputPath = try write(input, to: "io/\(name).in")
        let outputPath = output ?? root + "/io/\(name).out"
        let errorsPath = root + "/io/\(name).err"
        let files = try [
            open(inputPath, O_RDONLY | O_CLOEXEC),
            open(outputPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
            open(errorsPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
        ].map { file in
            try #require(file >= 0)
            return file
        }
        defer { for file in files { close(file) } }
        let child = try Child(
            program, arguments, environment: environment.merging(extra) { $1 }, directory: root,
            input: files[0], output: files[1], errors: files[2])
        let ending = await child.ending()
        return Finished(
            ending: ending,
            output: output == nil ? try text(of: outputPath) : "", errors: try text(of: errorsPath))
    }

    func syncd(_ arguments: String..., input: String = "") async throws -> Finished {
        try await run(.syncd, arguments, input: input)
    }

    /// Runs SQL on the cache with the stock program, as a script would.
    func sqlite(_ sql: String) async throws -> Finished {
        try await run(.sqlite3, ["-cmd", ".timeout 5000", cache, sql])
    }

    private func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// Starts a program whose output, or whose errors, are read line by line. Its input ends at once;
    /// with `input`, it stays open after that until the program has ended.
    func start(
        _ program: Program, _ arguments: [String], readingErrors: Bool, input text: String? = nil
    ) throws -> (Child, LineReader) {
        let (reading, writing) = try Child.pipe()
        let (input, held) = try Child.pipe()
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(null >= 0)
        defer { for file in [writing, input, null] { close(file) } }
        if let text {
            try #require(Glibc.write(held, Array(text.utf8), text.utf8.count) == text.utf8.count)
        } else {
            close(held)
        }
        let reader = try LineReader(owning: text == nil ? [reading] : [reading, held])
        let child = try Child(
            program, arguments.map { Array($0.utf8CString) }, environment: environment,
            directory: root, input: input, output: readingErrors ? null : writing,
            errors: readingErrors ? writing : null)
        return (child, reader)
    }

    /// Each is given once, so that nobody gets the port of a server that is to come back.
    private static let ports = Mutex((20_000..<30_000).shuffled())

    /// Starts a server on a free port, or on the one that it had; returns its address.
    ///
    /// The free one lies below those that the kernel gives away, so that a server that comes back
    /// finds it free still, whatever the other tests have started meanwhile.
    func startServer(
        port: String = "0", _ arguments: String...
    ) async throws -> (Child, String) {
        try await startServer(port: port, arguments)
    }

    /// The same with any number of arguments.
    func startServer(
        port: String = "0", _ arguments: [String]
    ) async throws -> (Child, String) {
        for _ in 0..<20 {
            let own = port == "0" ? String(Self.ports.withLock { $0.removeLast() }) : port
            let (child, reader) = try start(
                .demoAPI,
                ["--port", own, "--state", root + "/server.state", "--quiet"]
                    + DemoAccount.arguments + arguments,
                readingErrors: false)
            guard let line = await reader.line(holding: "listening on ") else { continue }
            return (child, String(line.split(separator: " ").last ?? ""))
        }
        throw NoFreePort()
    }

    private struct NoFreePort: Error {}

    /// Starts a daemon and waits until it has begun its work.
    func startDaemon() async throws -> (Child, LineReader) {
        let (child, reader) = try start(.syncd, ["run"], readingErrors: true)
        try #require(await reader.line(holding: "started") != nil, "\(reader.lines)")
        return (child, reader)
    }
}
