import Dispatch
import Foundation
import Glibc
import Synchronization

/// A server over plain sockets that does to each connection exactly what a test says.
///
/// Listens on 127.0.0.1 with a port of the kernel's choice; every connection gets a thread that
/// runs the script. All waits are bounded, so that a failing test ends.
package final class HostileServer: Sendable {
    package typealias Script = @Sendable (Connection) -> Void

    package let port: Int
    /// Every request whose head and body came whole, in the order they came.
    package let arrivals: AsyncStream<Received>
    /// What the script of a connection says has happened, by ``Connection/mark()``.
    package let marks: AsyncStream<Int>
    private let record: Record

    /// What all connections write down together.
    final class Record: Sendable {
        let received = Mutex<[Received]>([])
        let connections = Mutex(0)
        let arrived: AsyncStream<Received>.Continuation
        let marked: AsyncStream<Int>.Continuation
        let allowed = DispatchSemaphore(value: 0)

        init(
            _ arrived: AsyncStream<Received>.Continuation, _ marked: AsyncStream<Int>.Continuation
        ) {
            self.arrived = arrived
            self.marked = marked
        }
    }

    package struct Received: Sendable, Equatable {
        /// The number of the connection it came on, from 1.
        package let connection: Int
        package let line: String
        package let fields: [String]
        package let body: String
    }

    /// How many requests came whole.
    package var count: Int { record.received.withLock(\.count) }
    package var received: [Received] { record.received.withLock { $0 } }
    /// How many connections were made.
    package var connections: Int { record.connections.withLock { $0 } }

    /// Listens at once; `script` runs for each connection and the connection ends with it.
    ///
    /// The server outlives this value, because the value may end at its last use, before the
    /// request is sent; it stops a minute after its last connection. With a `receiveBuffer`, in
    /// bytes, the kernel takes little more of what nobody reads.
    package init(receiveBuffer: CInt? = nil, _ script: @escaping Script) throws {
        let (listener, port) = try Self.listen()
        if var receiveBuffer {
            setsockopt(
                listener, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
        }
        self.port = port
        let (stream, continuation) = AsyncStream<Received>.makeStream()
        arrivals = stream
        let (marks, marked) = AsyncStream<Int>.makeStream()
        self.marks = marks
        record = Record(continuation, marked)
        let record = record
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                // A child that other tests start must not keep the connection open.
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
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
            record.arrived.finish()
            record.marked.finish()
        }
    }

    /// A server that reads one request a connection, sends `answer` and closes.
    package static func answering(_ answer: String) throws -> HostileServer {
        try HostileServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer)
            connection.finish()
        }
    }

    /// A server that sends `answer` to each request and keeps its connections.
    package static func keeping(_ answer: String) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.send(answer) }
        }
    }

    /// Waits for the next request to come whole.
    package func nextArrival() async -> Received? {
        var arrivals = arrivals.makeAsyncIterator()
        return await arrivals.next()
    }

    /// Waits for the next mark.
    package func nextMark() async {
        var marks = marks.makeAsyncIterator()
        _ = await marks.next()
    }

    /// Lets one connection go on that waits in ``Connection/awaitLeave()``.
    package func allow() { record.allowed.signal() }

    /// A port of 127.0.0.1 on which nobody listens. It stays taken until the process ends, so that
    /// no other server gets it meanwhile.
    package static func unusedPort() throws -> Int { try bound { _ in true }.port }

    private static func listen() throws -> (descriptor: CInt, port: Int) {
        try bound { Glibc.listen($0, 128) == 0 }
    }

    /// A socket with a port, once it is `ready`.
    private static func bound(
        _ ready: (CInt) -> Bool
    ) throws -> (descriptor: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var bound = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &bound, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard bind(descriptor, address, length) == 0, ready(descriptor),
                    getsockname(descriptor, address, &length) == 0
                else { return nil }
                return pointer.pointee.sin_port.bigEndian
            }
        }
        guard let port else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, Int(port))
    }
}
