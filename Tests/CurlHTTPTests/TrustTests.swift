import APIClient
import CurlHTTP
import Foundation
import HostileHTTP
import Testing

@Suite("Whom a secret is sent to", .serialized, .timeLimit(.minutes(2)))
struct TrustTests {
    private let certificates: Certificates

    init() async throws { certificates = try await Certificates() }

    private func secret(_ port: Int, host: String = "127.0.0.1") -> HTTPRequest {
        .to(
            port, scheme: "https", host: host,
            fields: [.init("Authorization", "Bearer canary")])
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `A7: an authority from the CA file is trusted`(host: String) async throws {
        let server = try await TLSServer(certificates, .valid, arguments: ["-www"])
        defer { server.end() }
        let answer = try await makeTransport(caFile: certificates.authority)
            .send(secret(server.port, host: host))
        #expect(answer.status == 200)
        #expect(!answer.body.isEmpty)
    }

    @Test func `A7: without the CA file the same server is not trusted`() async throws {
        let server = try await TLSServer(certificates, .valid)
        defer { server.end() }
        try await expectUntrusted(server, makeTransport(), says: "authority")
    }

    @Test(arguments: [
        (Certificates.Kind.wrongHost, "127.0.0.1"), (.expired, "expired"),
        (.notYetValid, "clock"), (.selfSigned, "self-signed"),
    ])
    func `A7, A10: a certificate that is not right is named and gets no secret`(
        kind: Certificates.Kind, word: String
    ) async throws {
        let server = try await TLSServer(certificates, kind)
        defer { server.end() }
        try await expectUntrusted(
            server, makeTransport(caFile: certificates.authority), says: word)
    }

    @Test(arguments: ["-tls1", "-tls1_1"])
    func `A8: TLS older than 1.2 gets no secret`(version: String) async throws {
        let server = try await TLSServer(
            certificates, .valid, arguments: [version, "-cipher", "DEFAULT:@SECLEVEL=0"])
        defer { server.end() }
        // The server would speak it with a client that does.
        try await Child.run([
            "/bin/sh", "-c",
            "exec openssl s_client \(version) -cipher DEFAULT:@SECLEVEL=0 "
                + "-connect 127.0.0.1:\(server.port) </dev/null",
        ])
        try await expectUntrusted(
            server, makeTransport(caFile: certificates.authority), says: "TLS 1.2")
    }

    @Test func `A8: TLS 1.2 is enough`() async throws {
        let server = try await TLSServer(certificates, .valid, arguments: ["-tls1_2", "-www"])
        defer { server.end() }
        let transport = makeTransport(caFile: certificates.authority)
        #expect(try await transport.send(secret(server.port)).status == 200)
    }

    @Test func `F4: a CA file that is replaced counts from the next connection on`() async throws {
        let server = try await TLSServer(certificates, .valid, arguments: ["-www"])
        defer { server.end() }
        let other = try await Certificates(name: "Another authority of a test")
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("syncd-authority-\(UUID().uuidString)")
        defer {
            // Nothing depends on the file being gone.
            try? FileManager.default.removeItem(at: file)
        }
        let transport = makeTransport(caFile: file.path)
        for (authority, kind) in [
            (other.authority, "untrusted"), (certificates.authority, "none"),
            (other.authority, "untrusted"),
        ] {
            try Data(contentsOf: URL(fileURLWithPath: authority)).write(to: file)
            #expect(await transport.failure(secret(server.port)).kind == kind)
        }
    }

    @Test func `A9: a CA file that is missing is named`() async throws {
        let server = try await TLSServer(certificates, .valid)
        defer { server.end() }
        let transport = makeTransport(caFile: certificates.authority + ".missing")
        try await expectUntrusted(server, transport, says: "CA file")
    }

    @Test func `https to a server that speaks plain http gets no secret`() async throws {
        let server = try HostileServer { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.finish()
        }
        let error = await makeTransport().failure(secret(server.port))
        #expect(error.kind == "untrusted")
        #expect(server.count == 0)
    }

    @Test func `N7: a reset during the TLS handshake is no matter of trust`() async throws {
        let server = try HostileServer { $0.reset() }
        #expect(await makeTransport().failure(secret(server.port)).kind == "cannotConnect")
    }

    @Test func `N7: a close during the TLS handshake is no matter of trust`() async throws {
        let server = try HostileServer { $0.close() }
        #expect(await makeTransport().failure(secret(server.port)).kind == "cannotConnect")
    }

    @Test func `N15: a TLS handshake that is never answered sends nothing`() async throws {
        let server = try HostileServer { $0.awaitClose() }
        let transport = makeTransport(connectTimeout: .milliseconds(300))
        #expect(await transport.failure(secret(server.port)).kind == "cannotConnect")
    }

    @Test func `N16: a write is not sent over TLS that the server has ended`() async throws {
        let server = try await TLSServer(certificates, .valid)
        defer { server.end() }
        let transport = makeTransport(caFile: certificates.authority)
        async let first = transport.send(secret(server.port))
        #expect(await server.prints("canary\r\n"))
        server.send("[]".answer)
        #expect(try await first.text == "[]")
        server.send("Q\n")
        await server.ended()
        // Nobody listens any more, so a new connection fails, and nothing went over the old one.
        #expect(
            await transport.failure(.to(server.port, .post, scheme: "https")).kind
                == "cannotConnect")
    }

    private func expectUntrusted(
        _ server: TLSServer, _ transport: CurlTransport, says word: String
    ) async throws {
        guard case .untrusted(let reason) = await transport.failure(secret(server.port)) else {
            Issue.record("not refused as untrusted")
            return
        }
        #expect(reason.contains(word))
        #expect(!server.text.contains("canary"))
    }
}
