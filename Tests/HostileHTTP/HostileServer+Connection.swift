import Dispatch
import Foundation
import Glibc
import Synchronization

extension HostileServer {
    /// One accepted connection, used by its own thread only.
    package final class Connection {
        package let number: Int
        private var descriptor: CInt
        private let record: Record
        private var pending: [UInt8] = []
        /// The client's end as the kernel lists it while it is connected.
        private let clientEnd: String

        init(_ descriptor: CInt, _ number: Int, _ record: Record) {
            self.descriptor = descriptor
            self.number = number
            self.record = record
            let ends = [Self.end(getpeername, descriptor), Self.end(getsockname, descriptor)]
            clientEnd = " \(ends[0]) \(ends[1]) 01 "
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
        package func readRequest() -> Received? {
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
        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
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
        package func finish() {
            Glibc.shutdown(descriptor, CInt(SHUT_WR))
            awaitClose()
        }

        /// Does nothing until the client closes: the stall.
        package func awaitClose() { while fill() {} }

        /// Waits until so many bytes can be read, and reads none.
        package func awaitBytes(_ count: CInt) {
            for var low in [count, 1] {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                setsockopt(
                    descriptor, SOL_SOCKET, SO_RCVLOWAT, &low, socklen_t(MemoryLayout<CInt>.size))
                _ = poll(&waiting, 1, 30_000)
            }
        }

        /// Reads all that comes; returns the error at its end, 0 for a goodbye.
        package func readToEnd() -> CInt {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count == 0 { return 0 }
                if count < 0, errno != EINTR { return errno }
            }
        }

        /// Sends a byte at a time for ever, until the client closes.
        package func drip(_ text: String) {
            for byte in text.utf8 {
                guard send([byte]) else { return }
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 20) == 0 else { return }
            }
        }

        /// Tells the test that this point is reached.
        ///
        /// After the end of the connection: once the client's kernel has heard of it. On a busy machine that can
        /// be later.
        package func mark() {
            let deadline = DispatchTime.now() + 10
            while descriptor < 0, DispatchTime.now() < deadline,
                let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8),
                table.contains(clientEnd)
            {
                sched_yield()
            }
            record.marked.yield(number)
        }

        /// An address as /proc/net/tcp writes it.
        private static func end(
            _ name: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt,
            _ descriptor: CInt
        ) -> String {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    name(descriptor, $0, &length)
                }
            }
            return String(
                format: "%08X:%04X", address.sin_addr.s_addr, UInt32(address.sin_port.bigEndian))
        }

        /// Waits until the test allows more.
        package func awaitLeave() { _ = record.allowed.wait(timeout: .now() + 30) }

        /// Ends the connection with a reset instead of a goodbye.
        ///
        /// By connect(2) to nothing, which no copy of the descriptor delays.
        package func reset() {
            var nothing = sockaddr()
            nothing.sa_family = sa_family_t(AF_UNSPEC)
            connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
            close()
        }

        /// Ends the connection, also where a child of another test got a copy of the descriptor:
        /// one that is started right after accept(2) can.
        package func close() {
            guard descriptor >= 0 else { return }
            Glibc.shutdown(descriptor, CInt(SHUT_RDWR))
            Glibc.close(descriptor)
            descriptor = -1
        }
    }
}
