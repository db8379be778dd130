import Foundation
import Glibc
import Synchronization

/// `openssl s_server` as a child: a TLS server that is not of our making.
///
/// What it receives it prints, and what it is given on its standard input it sends.
package final class TLSServer: Sendable {
    package let port: Int
    private let output: Output
    private let child: Child

    /// Starts it and waits until it listens.
    package init(
        _ certificates: Certificates, _ kind: Certificates.Kind, arguments: [String] = []
    ) async throws {
        child = try Child(
            [
                "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-key",
                certificates.key, "-cert", certificates.certificate(kind),
            ] + arguments)
        let output = Output()
        self.output = output
        Thread.detachNewThread { [child] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(child.channel, &buffer, buffer.count)
                guard count > 0 else { break }
                output.add(String(decoding: buffer[..<count], as: UTF8.self))
            }
            output.end()
        }
        let announcement = "ACCEPT 127.0.0.1:"
        guard
            let line = await output.first(where: { text in
                text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    .first { $0.hasPrefix(announcement) }.map(String.init)
            }), let port = Int(line.dropFirst(announcement.count))
        else { throw Child.Failure(command: "s_server") }
        self.port = port
    }

    deinit { child.end() }

    /// Everything it has decrypted and said so far.
    package var text: String { output.text }

    /// Waits until it has printed `text`; false when it ended first.
    package func prints(_ text: String) async -> Bool {
        await output.first { $0.contains(text) ? text : nil } != nil
    }

    /// Waits until it has ended by itself.
    package func ended() async { _ = await child.ended() }

    /// Sends `text` over the connection; a line that begins with `Q` ends it and the server.
    package func send(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { bytes in
            write(child.channel, bytes.baseAddress, bytes.count)
        }
    }

    /// Ends the child.
    package func end() { child.end() }
}

extension TLSServer {
    /// All that it has printed, and who waits for some of it.
    private final class Output: Sendable {
        private struct State: Sendable {
            var text = ""
            var hasEnded = false
            var changed: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var text: String { state.withLock(\.text) }

        func add(_ piece: String) { change { $0.text += piece } }

        func end() { change { $0.hasEnded = true } }

        private func change(_ body: (inout sending State) -> Void) {
            let changed = state.withLock { state in
                body(&state)
                defer { state.changed = [] }
                return state.changed
            }
            for continuation in changed { continuation.resume() }
        }

        /// Waits until `find` finds something in all of the output; nil when it ends before.
        func first(where find: (String) -> String?) async -> String? {
            while true {
                let (text, hasEnded) = state.withLock { ($0.text, $0.hasEnded) }
                if let found = find(text) { return found }
                if hasEnded { return nil }
                await withCheckedContinuation { continuation in
                    let isNew = state.withLock { state in
                        let isNew = state.text.utf8.count > text.utf8.count || state.hasEnded
                        if !isNew { state.changed.append(continuation) }
                        return isNew
                    }
                    if isNew { continuation.resume() }
                }
            }
        }
    }
}
