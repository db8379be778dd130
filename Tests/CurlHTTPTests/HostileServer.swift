import Foundation
import Glibc
import Synchronization

/// A server over plain sockets that does to each connection exactly what a test says.
///
/// Listens on 127.0.0.1 with a port of the kernel's choice; every connection gets a thread that
/// runs the script. All waits are bounded, so that a failing test ends.
final class HostileServer: Sendable {
    typealias Script = @Sendable (Connection) -> Void

    let port: Int
    /// Every request whose head and body came whole, in the order they came.
    let arrivals: AsyncStream<Received>
    private let listener: CInt
    private let record: Record

    /// What all connections write down together.
    fileprivate final class Record: Sendable {
        let received = Mutex<[Received]>([])
        let connections = Mutex(0)
        let arrived: AsyncStream<Received>.Continuation

        init(_ arrived: AsyncStream<Received>.Continuation) { self.arrived = arrived }
    }

    struct Received: Sendable, Equatable {
        /// The number of the connection it came on, from 1.
        let connection: Int
        let line: String
        let fields: [String]
        let body: String
    }

    /// How many requests came whole.
    var count: Int { record.received.withLock(\.count) }
    var received: [Received] { record.received.withLock { $0 } }
    /// How many connections were made.
    var connections: Int { record.connections.withLock { $0 } }

    /// Listens at once; `script` runs for each connection and the connection ends with it.
    init(_ script: @escaping Script) throws {
        (listener, port) = try Self.listen()
        let (stream, continuation) = AsyncStream<Received>.makeStream()
        arrivals = stream
        record = Record(continuation)
        let (listener, record) = (listener, record)
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                let number = record.connections.withLock { count in
                    count += 1
                    return count
                }
                Thread.detachNewThread {
                    let connection = Connection(descriptor, number, record)
                    script(connection)
                    connection.close()
                }
            }
            Glibc.close(listener)
        }
    }

    deinit {
        // Wakes the accepting thread, which closes the descriptor.
        Glibc.shutdown(listener, CInt(SHUT_RDWR))
        record.arrived.finish()
    }

    /// A server that reads one request a connection, sends `answer` and closes.
    static func answering(_ answer: String) throws -> HostileServer {
        try HostileServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer)
            connection.finish()
        }
    }

    /// A server that sends `answer` to each request and keeps its connections.
    static func keeping(_ answer: String) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.send(answer) }
        }
    }

    /// A port of 127.0.0.1 on which nobody listens.
    static func unusedPort() throws -> Int {
        let (descriptor, port) = try listen()
        Glibc.close(descriptor)
        return port
    }

    private static func listen() throws -> (CInt, Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard bind(descriptor, address, length) == 0, Glibc.listen(descriptor, 128) == 0,
                    getsockname(descriptor, address, &length) == 0
                else { return nil }
                return pointer.pointee.sin_port.bigEndian
            }
        }
        guard let port else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, Int(port))
    }
}

extension HostileServer {
    /// One accepted connection, used by its own thread only.
    final class Connection {
        let number: Int
        private var descriptor: CInt
        private let record: Record
        private var pending: [UInt8] = []

        fileprivate init(_ descriptor: CInt, _ number: Int, _ record: Record) {
            self.descriptor = descriptor
            self.number = number
            self.record = record
            var bound = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &bound, socklen_t(MemoryLayout<timeval>.size))
            setsockopt(
                descriptor, SOL_SOCKET, SO_SNDTIMEO, &bound, socklen_t(MemoryLayout<timeval>.size))
            var on: CInt = 1
            setsockopt(
                descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        }

        /// Reads one whole request and writes it down; nil when the client has closed.
        @discardableResult
        func readRequest() -> Received? {
            guard let head = readHead() else { return nil }
            let lines = head.split(separator: "\r\n").map(String.init)
            let length =
                lines.lazy.filter { $0.lowercased().hasPrefix("content-length:") }
                .compactMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }.first
            while pending.count < length ?? 0 { guard fill() else { return nil } }
            let body = String(decoding: pending.prefix(length ?? 0), as: UTF8.self)
            pending.removeFirst(length ?? 0)
            let request = Received(
                connection: number, line: lines.first ?? "", fields: Array(lines.dropFirst()),
                body: body)
            record.received.withLock { $0.append(request) }
            record.arrived.yield(request)
            return request
        }

        private func readHead() -> String? {
            let end = Array("\r\n\r\n".utf8)
            while true {
                if let range = pending.firstRange(of: end) {
                    let head = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                    pending.removeSubrange(..<range.upperBound)
                    return head
                }
                guard fill() else { return nil }
            }
        }

        private func fill() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            pending += buffer[..<count]
            return true
        }

        /// Sends all of it; false when the client is gone.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Says goodbye, then waits until the client has closed, so that unread bytes make no
        /// reset of it.
        func finish() {
            Glibc.shutdown(descriptor, CInt(SHUT_WR))
            awaitClose()
        }

        /// Does nothing until the client closes: the stall.
        func awaitClose() { while fill() {} }

        /// Ends the connection with a reset instead of a goodbye.
        func reset() {
            var abrupt = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
            close()
        }

        func close() {
            guard descriptor >= 0 else { return }
            Glibc.close(descriptor)
            descriptor = -1
        }
    }
}
