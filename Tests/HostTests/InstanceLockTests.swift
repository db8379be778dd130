import Dispatch
import Foundation
import Glibc
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct InstanceLockTests {
    let temporary: TemporaryDirectory
    let directory: StateDirectory
    let name = "cache.sqlite.lock"
    let queue = DispatchQueue(label: "lock tests")

    init() throws {
        temporary = try TemporaryDirectory()
        directory = try StateDirectory(existing: temporary.path, user: geteuid())
    }

    @Test func `the second is told who holds the lock`() throws {
        let first = try InstanceLock.acquire(name, in: directory, as: .daemon)
        let holder = InstanceLock.Holder(pid: getpid(), role: .daemon)
        let error = #expect(throws: LockError.self) {
            try InstanceLock.acquire(name, in: directory, as: .once)
        }
        #expect(error == .held(path: directory.path(of: name), by: holder))
        #expect(error?.description.contains("process \(getpid()), daemon") == true)
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) == holder)
        withExtendedLifetime(first) {}
    }

    @Test func `a dead holder's file does not block, and nobody is said to hold it`() throws {
        try temporary.write(name, "4711 daemon and more of an old line\n")
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) == nil)
        let lock = try InstanceLock.acquire(name, in: directory, as: .once)
        #expect(try contents(of: directory.path(of: name)) == "\(getpid()) one-shot sync\n")
        withExtendedLifetime(lock) {}
    }

    @Test func `to look at the lock does not stand in anybody's way`() throws {
        try temporary.write(name)
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) == nil)
        let lock = try InstanceLock.acquire(name, in: directory, as: .daemon)
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that was let go can be taken again`() throws {
        do {
            let lock = try InstanceLock.acquire(name, in: directory, as: .once)
            withExtendedLifetime(lock) {}
        }
        _ = try InstanceLock.acquire(name, in: directory, as: .once)
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) == nil)
    }

    /// A child that does not run its program yet has a copy of every descriptor.
    @Test func `a lock that was let go leaves no mark with a copy of its descriptor`() throws {
        let path = directory.path(of: name)
        var lock: InstanceLock? = try InstanceLock.acquire(name, in: directory, as: .daemon)
        let own = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { number in
                // Another test may have closed it by now.
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/" + number)
                return target == path
            })
        let copy = fcntl(try #require(Int32(own)), F_DUPFD_CLOEXEC, 0)
        try #require(copy >= 0)
        defer { close(copy) }
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) != nil)
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path) == nil)
        lock = try InstanceLock.acquire(name, in: directory, as: .once)
        #expect(try InstanceLock.holder(of: name, inDirectoryAt: directory.path)?.role == .once)
        withExtendedLifetime(lock) {}
    }

    @Test func `a daemon is not waited for`() async throws {
        let first = try InstanceLock.acquire(name, in: directory, as: .daemon)
        await #expect(throws: LockError.self) {
            try await InstanceLock.acquire(
                name, in: directory, as: .once, waitingUpTo: .seconds(3600), on: queue)
        }
        withExtendedLifetime(first) {}
    }

    @Test func `a one-shot sync is waited for`() async throws {
        let path = directory.path(of: name)
        var first: InstanceLock? = try InstanceLock.acquire(name, in: directory, as: .once)
        async let second = InstanceLock.acquire(
            name, in: directory, as: .daemon, waitingUpTo: .seconds(3600), on: queue)
        withExtendedLifetime(first) {}
        first = nil
        _ = try await second
        #expect(try contents(of: path) == "\(getpid()) daemon\n")
    }

    @Test func `waiting ends with the limit`() async throws {
        let first = try InstanceLock.acquire(name, in: directory, as: .once)
        await #expect(throws: LockError.self) {
            try await InstanceLock.acquire(
                name, in: directory, as: .daemon, waitingUpTo: .milliseconds(1), on: queue)
        }
        withExtendedLifetime(first) {}
    }

    @Test func `waiting ends when the task is cancelled`() async throws {
        let first = try InstanceLock.acquire(name, in: directory, as: .once)
        let waiting = Task { [name, directory, queue] in
            try await InstanceLock.acquire(
                name, in: directory, as: .daemon, waitingUpTo: .seconds(3600), on: queue)
        }
        waiting.cancel()
        await #expect(throws: LockError.cancelled) { try await waiting.value }
        withExtendedLifetime(first) {}
    }

    @Test func `a link in the lock's place is refused and not followed`() throws {
        let target = try temporary.write("precious", "text")
        try #require(symlink(target, directory.path(of: name)) == 0)
        #expect(throws: LockError.file(.symbolicLink(directory.path(of: name)))) {
            try InstanceLock.acquire(name, in: directory, as: .daemon)
        }
        #expect(try contents(of: target) == "text")
    }

    @Test func `F7: who reads the cache can neither take the lock nor lose sight of its holder`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryDirectory()
            try #require(chmod(temporary.path, 0o755) == 0)
            let directory = try StateDirectory(existing: temporary.path, user: geteuid())
            try temporary.write("lock", mode: 0o644)
            let path = directory.path(of: "lock")
            for role in [InstanceLock.Role.daemon, .once] {
                seteuid(getuid())
                let lock = try InstanceLock.acquire("lock", in: directory, as: role)
                // One of an earlier version is narrowed.
                #expect(try mode(of: path) == 0o600)
                guard isRoot else { continue }
                try #require(seteuid(somebodyElse) == 0)
                #expect(open(path, O_RDONLY) == -1 && errno == EACCES)
                let holder = try InstanceLock.holder(of: "lock", inDirectoryAt: directory.path)
                #expect(holder == .init(pid: getpid(), role: role))
                withExtendedLifetime(lock) {}
            }
            let holder = try InstanceLock.holder(of: "lock", inDirectoryAt: directory.path)
            #expect(holder == nil)
            seteuid(getuid())
        }
    }

    @Test func `F7: a lock that cannot be taken is narrowed, too`() throws {
        try #require(chmod(temporary.path, 0o755) == 0)
        let directory = try StateDirectory(existing: temporary.path, user: geteuid())
        let path = try temporary.write(name, mode: 0o640)
        let reader = open(path, O_RDONLY)
        try #require(reader >= 0 && flock(reader, LOCK_SH) == 0)
        #expect(throws: LockError.self) {
            try InstanceLock.acquire(name, in: directory, as: .daemon)
        }
        #expect(try mode(of: path) == 0o600)
        close(reader)
        #expect(throws: Never.self) {
            try InstanceLock.acquire(name, in: directory, as: .daemon)
        }
    }
}
