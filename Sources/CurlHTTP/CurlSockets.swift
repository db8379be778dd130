import CCurl
import Glibc

/// The sockets that libcurl has open. They are kept for two reasons: to look at a kept-alive
/// connection before it is used again, and to take back unsent bytes when a request is given up.
///
/// If bytes lie unread on a connection, libcurl takes it for alive. These bytes can be the server's
/// goodbye (the TLS close alert): then a write would be lost and stay in doubt. Or they are an
/// answer that nobody asked for: then it would be taken for the answer to the next request.
final class CurlSockets {
    private var open: Set<CInt> = []
    /// Those that carry no further request.
    private var distrusted: Set<CInt> = []

    /// Makes a socket that no child process inherits.
    func make(_ family: CInt, _ type: CInt, _ proto: CInt) -> CInt {
        let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), proto)
        if descriptor >= 0 { open.insert(descriptor) }
        return descriptor
    }

    /// Closes one of them. What the other end has not acknowledged is taken back by a reset: the kernel
    /// would go on sending it for minutes, and a write that arrives after it was taken for lost is a
    /// doubled one.
    func close(_ descriptor: CInt) -> CInt {
        open.remove(descriptor)
        distrusted.remove(descriptor)
        var unsent: CInt = 0
        if ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0 {
            var now = linger(l_onoff: 1, l_linger: 0)
            // Fails only if this is not a socket.
            _ = setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout.size(ofValue: now)))
        }
        return Glibc.close(descriptor)
    }

    /// Lets the kernel drop what the other end of the connection between these ports has not acknowledged
    /// within so many milliseconds: it would go on with it for minutes also when we are gone (tcp(7)).
    func limitDelivery(to milliseconds: CInt, localPort: CInt, remotePort: CInt) {
        var limit = CUnsignedInt(max(milliseconds, 1))
        for descriptor in open where Self.joins(descriptor, localPort, remotePort) {
            // Fails only if this is not a TCP socket.
            _ = setsockopt(
                descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit,
                socklen_t(MemoryLayout.size(ofValue: limit)))
        }
    }

    /// Lets no further request onto any connection that is open now: where one gave no answer in time, the
    /// way may be gone, and a kept-alive connection tells nothing of it. An address that was taken away ends
    /// all of them in silence, and each would cost a request its whole time.
    func distrust() { distrusted = open }

    /// Whether the connection between these ports cannot take a request: distrusted, ended, or with bytes
    /// nobody has asked for.
    func isStale(localPort: CInt, remotePort: CInt) -> Bool {
        open.contains(where: { descriptor in
            guard Self.joins(descriptor, localPort, remotePort) else { return false }
            if distrusted.contains(descriptor) { return true }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
            return count >= 0 || (errno != EAGAIN && errno != EINTR)
        })
    }

    private static func joins(
        _ descriptor: CInt, _ localPort: CInt, _ remotePort: CInt
    ) -> Bool {
        // After a reset there is no remote end any more.
        port(of: descriptor, getsockname) == localPort
            && port(of: descriptor, getpeername) ?? remotePort == remotePort
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
