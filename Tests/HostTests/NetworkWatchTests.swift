import CLinux
import Dispatch
import Foundation
import Glibc
import Host
import Synchronization
import Testing

/// The machine's addresses and routes, in a network namespace of the test's own.
@Suite struct NetworkWatchTests {
    private static let isRoot = geteuid() == 0

    /// unshare(2) with CLONE_NEWNET, which Swift's Glibc module does not show; -1 with errno.
    private static func leaveNetwork() -> Int32 {
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return -1 }
        return unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000)
    }

    /// Runs `body` on a thread that has a network of its own, where not even loopback is up.
    private static func inNewNetwork(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                done.resume(
                    with: Result {
                        guard leaveNetwork() == 0 else {
                            throw SystemError(operation: "unshare", code: errno)
                        }
                        try body()
                    })
            }
        }
    }

    @Test(.enabled(if: isRoot, "a network of its own needs root"), .timeLimit(.minutes(3)))
    func `an address that appears is told`() async throws {
        let queue = DispatchQueue(label: "network")
        let (events, told) = AsyncStream.makeStream(of: Void.self)
        let watch = Mutex<NetworkWatch?>(nil)
        try await Self.inNewNetwork {
            let new = try NetworkWatch(on: queue) { told.yield() }
            watch.withLock { $0 = new }
            // A child belongs to the network of the thread that started it.
            try #require(system("ip link set lo up") == 0)
        }
        var event = events.makeAsyncIterator()
        #expect(await event.next() != nil)
        watch.withLock { $0 }?.cancel()
    }

    @Test(.enabled(if: isRoot, "a network of its own needs root"))
    func `nothing is told after the end`() async throws {
        let queue = DispatchQueue(label: "network")
        try await Self.inNewNetwork {
            let watch = try NetworkWatch(on: queue) { Issue.record("it was ended") }
            watch.cancel()
            queue.sync {}
            try #require(system("ip link set lo up") == 0)
            queue.sync {}
        }
    }
}
