import Foundation
import Glibc
import Synchronization
import Testing

/// Reads lines from the end of a pipe, on a thread of its own, until its writer is gone.
final class LineReader: Sendable {
    private struct Waiter {
        let text: String
        let from: Int
        let continuation: CheckedContinuation<String?, Never>
    }

    private struct State {
        var lines: [String] = []
        /// What came after the last end of a line.
        var rest: [UInt8] = []
        var hasEnded = false
        var waiting: [Waiter] = []

        /// Returns whose wait is over, and what they have waited for.
        mutating func read(_ descriptor: Int32) -> [(Waiter, String?)] {
            var answers: [(Waiter, String?)] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while !hasEnded {
                let count = Glibc.read(descriptor, &piece, piece.count)
                if count < 0 && errno == EINTR { continue }
                if count < 0 && errno == EAGAIN { break }
                rest += piece[..<max(count, 0)]
                while let end = rest.firstIndex(of: 0x0A) {
                    answers += add(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
                guard count <= 0 else { continue }
                hasEnded = true
                answers += waiting.map { ($0, nil) }
                waiting = []
            }
            return answers
        }

        private mutating func add(_ line: String) -> [(Waiter, String?)] {
            lines.append(line)
            let number = lines.count - 1
            let isAnswer = { (waiter: Waiter) in
                number >= waiter.from && line.contains(waiter.text)
            }
            defer { waiting.removeAll(where: isAnswer) }
            return waiting.filter(isAnswer).map { ($0, line) }
        }
    }

    /// Not read after the end: its number may stand for something else then.
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Takes over `descriptors`, reads from the first and closes all at its end.
    init(owning descriptors: [Int32]) throws {
        descriptor = descriptors[0]
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        Thread.detachNewThread { [self] in
            var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while !readUp() { poll(&readable, 1, -1) }
            for descriptor in descriptors { close(descriptor) }
        }
    }

    /// All lines that were written before this is asked.
    var lines: [String] {
        readUp()
        return state.withLock { $0.lines }
    }

    /// The first line from number `from` on that holds `text`, when it comes; nil when the writer
    /// ended without it.
    func line(holding text: String, from: Int = 0) async -> String? {
        await withCheckedContinuation { continuation in
            let (found, isOver) = state.withLock { state -> (String?, Bool) in
                let found = state.lines.dropFirst(from).first { $0.contains(text) }
                if found == nil && !state.hasEnded {
                    state.waiting.append(Waiter(text: text, from: from, continuation: continuation))
                }
                return (found, state.hasEnded)
            }
            if found != nil || isOver { continuation.resume(returning: found) }
        }
    }

    /// Takes what is in the pipe. Returns whether the writer is gone.
    @discardableResult private func readUp() -> Bool {
        let (answers, hasEnded) = state.withLock { state in
            (state.read(descriptor), state.hasEnded)
        }
        for (waiter, line) in answers { waiter.continuation.resume(returning: line) }
        return hasEnded
    }
}
