import Glibc
import Synchronization
import Testing

/// A pipe of this process, closed when the value goes.
final class Pipe: Sendable {
    let reader: Int32
    let writer: Int32
    private let isOpen = Mutex((reader: true, writer: true))

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        // Not for the children of other tests: one that had the reader would keep the pipe whole.
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        closeReader()
        closeWriter()
    }

    func closeReader() {
        isOpen.withLock { isOpen in
            if isOpen.reader { close(reader) }
            isOpen.reader = false
        }
    }

    func closeWriter() {
        isOpen.withLock { isOpen in
            if isOpen.writer { close(writer) }
            isOpen.writer = false
        }
    }

    /// What is there, or `nil` when a reader in non-blocking mode would wait.
    func readNow() -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// Reads a descriptor to its end on a thread of its own.
final class Reader: Sendable {
    private let thread: pthread_t
    private final class Work {
        let descriptor: Int32
        var bytes: [UInt8] = []
        init(_ descriptor: Int32) { self.descriptor = descriptor }
    }

    init(descriptor: Int32) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(descriptor))
        pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                let work = Unmanaged<Work>.fromOpaque(raw).takeUnretainedValue()
                var chunk = [UInt8](repeating: 0, count: 1000)
                while true {
                    let count = read(work.descriptor, &chunk, chunk.count)
                    if count <= 0 { return raw }
                    work.bytes += chunk[..<count]
                }
            }, work.toOpaque())
        self.thread = thread
    }

    /// Waits for the end and returns all that was read; called once.
    func finish() -> String {
        var raw: UnsafeMutableRawPointer?
        pthread_join(thread, &raw)
        guard let raw else { return "" }
        let work = Unmanaged<Work>.fromOpaque(raw).takeRetainedValue()
        return String(decoding: work.bytes, as: UTF8.self)
    }
}
