import Foundation
import Glibc
import Synchronization

/// Reads lines from the end of a pipe, on a thread of its own, until its writer is gone.
final class LineReader: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var waiting: [(text: String, from: Int, CheckedContinuation<String?, Never>)] = []
    }

    private let state = Mutex(State())

    /// Takes over `descriptors`, reads from the first and closes all at its end.
    init(owning descriptors: [Int32]) {
        let descriptor = descriptors[0]
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &piece, piece.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                rest += piece[..<count]
                while let end = rest.firstIndex(of: 0x0A) {
                    add(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            for descriptor in descriptors { close(descriptor) }
            finish()
        }
    }

    /// All lines so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// The first line from number `from` on that holds `text`, when it comes; nil when the writer
    /// ended without it.
    func line(holding text: String, from: Int = 0) async -> String? {
        await withCheckedContinuation { continuation in
            let (found, isOver) = state.withLock { state -> (String?, Bool) in
                let found = state.lines.dropFirst(from).first { $0.contains(text) }
                if found == nil && !state.hasEnded {
                    state.waiting.append((text, from, continuation))
                }
                return (found, state.hasEnded)
            }
            if found != nil || isOver { continuation.resume(returning: found) }
        }
    }

    private func add(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let number = state.lines.count - 1
            let ready = state.waiting.filter { number >= $0.from && line.contains($0.text) }
            state.waiting.removeAll { number >= $0.from && line.contains($0.text) }
            return ready
        }
        for waiter in ready { waiter.2.resume(returning: line) }
    }

    private func finish() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.2.resume(returning: nil) }
    }
}
