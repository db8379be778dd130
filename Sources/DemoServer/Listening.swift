import Glibc
import Host

/// A socket that listens on 127.0.0.1.
struct Listening {
    let descriptor: Int32
    let port: UInt16

    /// Listens on `port`; 0 is any free one. A port that a server has just left can be taken.
    init(port: UInt16) throws(DemoError) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let opened = socket(AF_INET, Int32(kind), 0)
        guard opened >= 0 else { throw Self.failed("socket", port) }
        var isKept = false
        defer { if !isKept { close(opened) } }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0 else {
            throw Self.failed("setsockopt", port)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = Self.withGeneric(&address) { bind(opened, $0, length) }
        guard bound == 0 else { throw Self.failed("bind", port) }
        guard listen(opened, 128) == 0 else { throw Self.failed("listen", port) }
        guard Self.withGeneric(&address, { getsockname(opened, $0, &length) }) == 0 else {
            throw Self.failed("getsockname", port)
        }
        isKept = true
        descriptor = opened
        self.port = UInt16(bigEndian: address.sin_port)
    }

    private static func withGeneric(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func failed(_ operation: String, _ port: UInt16) -> DemoError {
        errno == EADDRINUSE
            ? .portTaken(port)
            : .cannotListen(port, SystemError(operation: operation, code: errno))
    }
}
