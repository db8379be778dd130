import Dispatch
import Glibc
import Testing

/// The service manager's end of the notify socket, under a name of its own.
final class ServiceManager: Sendable {
    let name: String
    private let socket: Int32

    init() throws {
        name = "@syncd-daemon-tests-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(socket >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8.dropFirst())
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sa_family_t>.size + bytes.count
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(length))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(socket) }

    /// The messages up to and with the first one that is as wanted; waits for it.
    func received(until isMet: @escaping @Sendable (String) -> Bool) async -> [String] {
        await withCheckedContinuation { continuation in
            // A thread of its own: the wait blocks, and nothing else may wait for it.
            DispatchQueue(label: "service manager").async { [self] in
                var messages: [String] = []
                repeat {
                    var socket = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                    guard poll(&socket, 1, 30_000) == 1 else { break }
                    messages += received()
                } while !messages.contains(where: isMet)
                continuation.resume(returning: messages)
            }
        }
    }

    /// The messages that have come, in order.
    func received() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }
}

/// The lines of a log, read after the daemon ended.
final class LogPipe: Sendable {
    let writer: Int32
    private let reader: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        try #require(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Up to 64 KiB of lines that have come since the last call.
    func lines() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
