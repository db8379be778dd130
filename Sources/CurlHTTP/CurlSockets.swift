import CCurl
import Glibc

/// The sockets libcurl has open, kept to look at a kept-alive connection before it is used again.
///
/// libcurl takes a connection for alive when bytes lie unread on it. Those bytes are the server's
/// goodbye (the TLS close alert), after which a write would be lost and stay in doubt, or they
/// are an answer nobody asked for, which would be taken for the answer to the next request.
final class CurlSockets {
    private var open: Set<CInt> = []

    /// Makes a socket that no child process inherits.
    func make(_ family: CInt, _ type: CInt, _ proto: CInt) -> CInt {
        let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), proto)
        if descriptor >= 0 { open.insert(descriptor) }
        return descriptor
    }

    /// Closes one of them.
    func close(_ descriptor: CInt) -> CInt {
        open.remove(descriptor)
        return Glibc.close(descriptor)
    }

    /// Whether the connection between these ports is ended or holds bytes nobody has asked for.
    func hasUnaskedBytes(localPort: CInt, remotePort: CInt) -> Bool {
        open.contains(where: { descriptor in
            // After a reset there is no remote end any more.
            guard Self.port(of: descriptor, getsockname) == localPort,
                Self.port(of: descriptor, getpeername) ?? remotePort == remotePort
            else { return false }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
            return count >= 0 || (errno != EAGAIN && errno != EINTR)
        })
    }

    private static func port(
        of descriptor: CInt,
        _ name: (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt
    ) -> CInt? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard name(descriptor, address, &length) == 0, length >= 4 else { return nil }
            // Family and port stand at the same place for IPv4 and IPv6.
            return CInt(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }
}
