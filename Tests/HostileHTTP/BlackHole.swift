import Foundation
import Glibc

/// A port where a connection is neither refused nor made: its queue is full and nobody accepts.
/// It stays until the process ends.
package struct BlackHole: Sendable {
    package let port: Int

    package init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, address, &length) == 0
                else { return false }
                // More than the queue holds; the kernel leaves the rest without an answer.
                for _ in 0..<4 {
                    let kind =
                        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
                        | SOCK_NONBLOCK.rawValue
                    let caller = socket(AF_INET, CInt(kind), 0)
                    connect(caller, address, length)
                }
                return true
            }
        }
        port = Int(address.sin_port.bigEndian)
        guard isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    }
}
