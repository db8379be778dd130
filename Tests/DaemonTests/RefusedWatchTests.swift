import Daemon
@preconcurrency import Dispatch
import Foundation
import Glibc
import Host
import TestSupport
import Testing
import Text

@Suite struct RefusedWatchTests {
    @Test func `a watch that the kernel refused is asked for again, and told once`() async throws {
        var template = Array("/tmp/syncd-daemon-tests.XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        let folder = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/log"
        let output = open(path, O_CREAT | O_RDWR | O_APPEND, 0o600)
        try #require(output >= 0)
        defer { close(output) }
        let watch = CacheWatch(
            database: folder + "/cache", on: DispatchQueue(label: "test"),
            log: Log(
                output: StandardError(descriptor: output), level: .info, format: .text,
                time: VirtualTime(), secrets: Secrets()))
        let (wakes, tell) = AsyncStream<Wake>.makeStream()
        // No write-ahead log, no watch.
        watch.begin { tell.yield($0) }
        watch.retry()
        watch.retry()
        let told = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(told.count == 1)
        #expect(told.first?.contains("found only when a sync is due") == true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/cache-wal"))
        watch.retry()
        watch.retry()
        var iterator = wakes.makeAsyncIterator()
        // What was written before is looked for, and what follows is told.
        #expect(await iterator.next() == .cacheTouched)
        let file = open(folder + "/cache-wal", O_WRONLY)
        try #require(write(file, "y", 1) == 1)
        #expect(await iterator.next() == .cacheTouched)
        close(file)
        watch.end()
        let after = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(after.count == 2)
        #expect(after.last?.contains("found at once again") == true)
    }
}
