import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 that reads one request a connection, sends what the path is mapped to
/// and closes; a path without an answer stalls until the client has gone.
final class LoopbackServer: Sendable {
    let port: Int
    private let heads: Heads

    private final class Heads: Sendable {
        let all = Mutex<[String]>([])
    }

    /// The requests so far, each with all that came in its first pieces up to the empty line.
    var received: [String] { heads.all.withLock { $0 } }

    init(_ answers: [String: String]) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var bound = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            listener, SOL_SOCKET, SO_RCVTIMEO, &bound, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(address.sin_port.bigEndian)
        let heads = Heads()
        self.heads = heads
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Thread.detachNewThread { Self.serve(connection, answers, heads) }
            }
            close(listener)
        }
    }

    private static func serve(_ connection: CInt, _ answers: [String: String], _ heads: Heads) {
        defer {
            // Whoever got a copy: a child that another test starts right after accept(2) can.
            shutdown(connection, CInt(SHUT_RDWR))
            close(connection)
        }
        var head = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        heads.all.withLock { $0.append(head) }
        let words = head.split(separator: " ")
        if words.count > 1, let answer = answers[String(words[1])] {
            _ = Array(answer.utf8).withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            shutdown(connection, CInt(SHUT_WR))
        }
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
}
