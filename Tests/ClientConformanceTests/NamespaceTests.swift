import APIClient
import CurlHTTP
import Foundation
import Glibc
import HostileHTTP
import Testing

/// Faults of the network below the sockets, each in a process and a network namespace of its own.
///
/// Only root may make one; elsewhere N2, N5 and N6 are the nearest that can be had.
@Suite(
    "Faults below the sockets", .enabled(if: geteuid() == 0, "only root may make a namespace"),
    .timeLimit(.minutes(3)))
struct NamespaceTests {
    @Test func `N1: without a network a write is not sent`() async {
        await #expect(processExitsWith: .success) {
            try Namespace.enter()
            let error = try await Namespace.write(to: "192.0.2.1", over: Rig.curl())
            guard case .transport(.cannotConnect) = error else {
                Issue.record("came to \(String(describing: error))")
                return
            }
        }
    }

    @Test func `N3: a name server that is silent holds neither a write nor the end`() async {
        await #expect(processExitsWith: .success) {
            try Namespace.enter()
            let server = try Namespace.silentNameServer()
            let transport = Rig.curl()
            var question = [UInt8](repeating: 0, count: 512)
            var timeout = Duration.seconds(1)
            // Until it was asked: a busy machine may need longer than the first deadline to ask.
            repeat {
                let error = try await Namespace.write(
                    to: "silent.example", over: transport, timeout: timeout)
                guard case .transport(.cannotConnect) = error else {
                    Issue.record("came to \(String(describing: error))")
                    return
                }
                timeout = timeout * 2
            } while recv(server, &question, question.count, CInt(MSG_DONTWAIT)) <= 12
            // While it is silent the transport ends all the same.
            await transport.shutdown()
        }
    }
}

/// Namespaces of this thread, and so of the threads that it starts: the transport's own is one,
/// because its first request starts it.
private enum Namespace {
    struct Failure: Error { let what: String }

    /// Leaves the machine's network and mounts; nothing is up in the new ones.
    static func enter() throws {
        // Swift's Glibc does not show unshare(2), nor CLONE_NEWNET and CLONE_NEWNS of sched.h.
        guard let symbol = dlsym(nil, "unshare") else { throw Failure(what: "unshare") }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
        guard unshare(0x4000_0000 | 0x0002_0000) == 0 else { throw Failure(what: "unshare") }
        // MS_REC and MS_PRIVATE: what is mounted here is seen here only.
        guard mount("none", "/", nil, 0x4000 | 0x4_0000, nil) == 0 else {
            throw Failure(what: "mount")
        }
    }

    /// Makes a socket that takes questions and never answers the only name server.
    static func silentNameServer() throws -> CInt {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("resolv-\(UUID().uuidString)").path
        try Data("nameserver 127.0.0.1\n".utf8).write(to: URL(fileURLWithPath: file))
        // What is mounted stays while its name goes.
        defer { unlink(file) }
        // MS_BIND.
        guard mount(file, "/etc/resolv.conf", nil, 4096, nil) == 0 else {
            throw Failure(what: "mount")
        }
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        // struct ifreq: the name in 16 bytes, then the flags, of which 1 is IFF_UP.
        var request = [UInt8]("lo".utf8) + [UInt8](repeating: 0, count: 38)
        request[16] = 1
        guard ioctl(descriptor, 0x8914, &request) == 0 else { throw Failure(what: "lo") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw Failure(what: "port 53") }
        return descriptor
    }

    static func write(
        to host: String, over transport: CurlTransport, timeout: Duration = .seconds(1)
    ) async throws -> APIError? {
        let client = TodosClient(
            baseURL: try BaseURL("http://\(host)"),
            limits: RequestLimits(timeout: timeout, maxBodyBytes: 1000), transport: transport)
        return await client.failure(of: .create)
    }
}
