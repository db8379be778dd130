import Foundation
import Glibc
import HostileHTTP
import Testing

/// Whom the program trusts on a machine whose system trusts an authority of the test: it has a
/// directory of its own in the place of `/etc/ssl/certs`, in a mount namespace.
@Suite(.timeLimit(.minutes(3)), .enabled(if: geteuid() == 0, "mount namespaces need root"))
struct TrustProcessTests {
    private let stage: Stage
    private let system: Certificates
    private let other: Certificates
    private let server: TLSServer

    init() async throws {
        stage = try Stage()
        system = try await Certificates(name: "Authority of the system")
        other = try await Certificates(name: "Authority of the file")
        server = try await TLSServer(system, .valid)
        let certificate = try String(contentsOfFile: system.authority, encoding: .utf8)
        try stage.write(certificate, to: "system/authority.pem", mode: 0o644)
        // libcurl's other default, a file of all authorities.
        try stage.write(certificate, to: "system/ca-certificates.crt", mode: 0o644)
        let rehashed = try await stage.run(
            Program(path: "/usr/bin/openssl"), ["rehash", stage.root + "/system"])
        try #require(rehashed.code == 0)
    }

    /// Syncs movies on that machine.
    private func sync(
        _ baseURL: String, caFile: String?, proxy: String? = nil
    ) async throws -> Finished {
        let values = [("caFile", caFile), ("proxy", proxy)].map { name, value in
            "\"\(name)\": \(value.map { "\"\($0)\"" } ?? "null")"
        }.joined(separator: ", ")
        let secret = try stage.write("canary\n", to: "secret")
        try stage.write(
            """
            {"movies": {"baseURL": "\(baseURL)", "tokenFile": "\(secret)"},
             "todos": {"baseURL": "\(baseURL)", "email": "a@b", "passwordFile": "\(secret)"},
             "http": {"timeout": "20s", "connectTimeout": "20s", \(values)}}
            """, to: stage.configuration)
        return try await stage.run(
            Program(path: "/usr/bin/unshare"),
            [
                "--mount", "--propagation", "private", Program.shell.path, "-c",
                #"mount --bind "$0" /etc/ssl/certs && exec "$@""#, stage.root + "/system",
                Program.syncd.path, "sync", "movies",
            ])
    }

    @Test func `F4: without a CA file the system's authorities are trusted`() async throws {
        defer { server.end() }
        async let finished = sync("https://127.0.0.1:\(server.port)", caFile: nil)
        #expect(await server.prints("canary\r\n"))
        server.send(#"{"page":1,"results":[],"total_pages":1,"total_results":0}"#.answer)
        #expect(try await finished.code == 0)
    }

    @Test func `F4: a CA file stands in the place of the system's authorities`() async throws {
        defer { server.end() }
        let finished = try await sync(
            "https://127.0.0.1:\(server.port)", caFile: other.authority)
        #expect(finished.code == 69)
        #expect(finished.errors.contains("the certificate's authority is not known here"))
        #expect(!server.text.contains("canary"))
    }

    @Test func `F4: without a CA file a proxy is trusted by the system's authorities`()
        async throws
    {
        defer { server.end() }
        async let finished = sync(
            "https://nobody.invalid", caFile: nil, proxy: "https://localhost:\(server.port)")
        #expect(await server.prints("CONNECT nobody.invalid:443"))
        server.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        #expect(try await finished.code == 69)
    }

    @Test func `F4: a CA file stands in the place of the system's authorities for a proxy, too`()
        async throws
    {
        defer { server.end() }
        let finished = try await sync(
            "https://nobody.invalid", caFile: other.authority,
            proxy: "https://localhost:\(server.port)")
        #expect(finished.code == 69)
        #expect(finished.errors.contains("the server is not trusted"))
        #expect(!server.text.contains("CONNECT"))
    }
}
