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
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "log")
        let output = open(path, O_CREAT | O_RDWR | O_APPEND, 0o600)
        try #require(output >= 0)
        defer { close(output) }
        let watch = CacheWatch(
            database: folder.path(of: "cache"), on: DispatchQueue(label: "test"),
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
        try folder.write("cache-wal", "x")
        watch.retry()
        watch.retry()
        var iterator = wakes.makeAsyncIterator()
        // What was written before is looked for, and what follows is told.
        #expect(await iterator.next() == .cacheTouched)
        let file = open(folder.path(of: "cache-wal"), O_WRONLY)
        try #require(write(file, "y", 1) == 1)
        #expect(await iterator.next() == .cacheTouched)
        close(file)
        watch.end()
        let after = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(after.count == 2)
        #expect(after.last?.contains("found at once again") == true)
    }
}
