import Foundation
import Glibc
import Testing

/// A server that takes every connection, says that something was asked, and never answers.
final class SilentServer: Sendable {
    let address: String
    private let listener: Int32
    private let asked = Fact<Bool>()

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                bind(listener, own, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, own, &length) == 0
            }
        }
        try #require(isReady)
        self.listener = listener
        address = "http://127.0.0.1:\(UInt16(bigEndian: own.sin_port))"
        let asked = asked
        Thread.detachNewThread {
            var connections: [Int32] = []
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                // A child that another test starts must not keep it open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                connections.append(connection)
                var byte: UInt8 = 0
                if asked.value == nil, read(connection, &byte, 1) == 1 { asked.set(true) }
            }
            for descriptor in connections + [listener] { close(descriptor) }
        }
    }

    /// Wakes the thread, which closes everything.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Waits until a request is under way.
    func wasAsked() async { _ = await asked.get() }
}
