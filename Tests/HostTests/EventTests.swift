import Dispatch
import Glibc
import Host
import TestSupport
import Testing

/// The runtime's own threads take no signals, but the main thread of a test process waits in
/// `dispatchMain()`, which lets all of them in. A signal handler that never returns shuts them out,
/// as `Signals.parkMainThread()` does in a daemon.
private func blockEverySignalOfTheMainThread() throws {
    let pipe = try Pipe()
    try #require(dup2(pipe.writer, 100) == 100)
    signal(SIGUSR2) { _ in
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        write(100, "x", 1)
        Signals.parkMainThread()
    }
    kill(getpid(), SIGUSR2)
    #expect(pipe.readNow() == "x")
}

@Suite(.timeLimit(.minutes(3))) struct EventTests {
    let queue = DispatchQueue(label: "event tests")

    @Test func `blocked signals are told on the queue, also those that came before`() async {
        await #expect(processExitsWith: .success) {
            try blockEverySignalOfTheMainThread()
            let (stream, continuation) = AsyncStream<Signal>.makeStream()
            kill(getpid(), SIGUSR1)
            kill(getpid(), SIGUSR1)
            kill(getpid(), SIGTERM)
            let signals = try Signals(
                Signal.allCases, on: DispatchQueue(label: "signals")
            ) { continuation.yield($0) }
            var iterator = stream.makeAsyncIterator()
            let first = [await iterator.next(), await iterator.next()]
            #expect(Set(first) == [.syncNow, .terminate])
            kill(getpid(), SIGHUP)
            #expect(await iterator.next() == .hangUp)
            signals.cancel()
        }
    }

    @Test func `a write to a file and its end are told`() async throws {
        let temporary = try TemporaryDirectory()
        let path = try temporary.write("wal", "x")
        let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
        let watch = try FileWatch(path, names: [], on: queue) { continuation.yield($0) }
        var iterator = stream.makeAsyncIterator()
        let file = open(path, O_WRONLY)
        try #require(write(file, "y", 1) == 1)
        let first = await iterator.next()
        #expect(first?.isWritten == true && first?.isGone == false)
        close(file)
        try #require(unlink(path) == 0)
        #expect(await iterator.next()?.isGone == true)
        watch.cancel()
    }

    @Test func `a mere reader of a file is not told`() async throws {
        let temporary = try TemporaryDirectory()
        let path = try temporary.write("wal", "x")
        let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
        let watch = try FileWatch(path, names: [], on: queue) { continuation.yield($0) }
        var iterator = stream.makeAsyncIterator()
        _ = try contents(of: path)
        close(open(path, O_RDWR))
        try #require(rename(path, path + ".old") == 0)
        let first = await iterator.next()
        #expect(first?.isWritten == false && first?.isGone == true)
        watch.cancel()
    }

    @Test func `a file that is held open tells its deletion by its name`() async throws {
        let temporary = try TemporaryDirectory()
        let path = try temporary.write("wal", "x")
        let other = try temporary.write("other", "x")
        let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
        let watch = try FileWatch(path, names: ["wal", "db"], on: queue) { continuation.yield($0) }
        var iterator = stream.makeAsyncIterator()
        let held = open(path, O_RDONLY)
        defer { close(held) }
        try #require(unlink(other) == 0 && unlink(path) == 0)
        let first = await iterator.next()
        #expect(first?.isRenamed == true && first?.isGone == false && first?.isWritten == false)
        let file = try temporary.write("new", "x")
        try #require(rename(file, temporary.path + "/db") == 0)
        #expect(await iterator.next()?.isRenamed == true)
        watch.cancel()
    }

    @Test func `the closing of a lock file by its holder is told, and that of a reader is not`()
        async throws
    {
        let temporary = try TemporaryDirectory()
        let path = try temporary.write("lock", "x")
        let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
        let held = open(path, O_RDWR)
        let watch = try FileWatch(closingOf: path, on: queue) { continuation.yield($0) }
        var iterator = stream.makeAsyncIterator()
        _ = try contents(of: path)
        close(held)
        #expect(await iterator.next()?.isWritten == true)
        watch.cancel()
        continuation.finish()
        #expect(await iterator.next() == nil)
    }

    @Test(.enabled(if: isRoot))
    func `F7: who may not read the lock file is told of its holder's end all the same`() async {
        // The effective user is that of the whole process.
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryDirectory()
            try #require(chmod(temporary.path, 0o755) == 0)
            let path = try temporary.write("lock", "x")
            let other = try temporary.write("other", "x")
            let lock = open(path, O_RDWR)
            let neighbour = open(other, O_RDWR)
            try #require(seteuid(somebodyElse) == 0)
            let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
            let queue = DispatchQueue(label: "reader")
            let watch = try FileWatch(closingOf: path, on: queue) { continuation.yield($0) }
            var iterator = stream.makeAsyncIterator()
            // Another file's end is nothing.
            close(neighbour)
            queue.sync {}
            close(lock)
            #expect(await iterator.next()?.isWritten == true)
            watch.cancel()
            continuation.finish()
            #expect(await iterator.next() == nil)
            seteuid(getuid())
        }
    }

    @Test func `files that are made or moved beside a path are told by their names`() async throws {
        let temporary = try TemporaryDirectory()
        let (stream, continuation) = AsyncStream<FileWatch.Event>.makeStream()
        let watch = try FileWatch(
            arrivalOf: ["db"], beside: temporary.path + "/db", on: queue
        ) { continuation.yield($0) }
        var iterator = stream.makeAsyncIterator()
        let other = try temporary.write("other", "x")
        try #require(rename(other, temporary.path + "/db") == 0)
        #expect(await iterator.next()?.isRenamed == true)
        try #require(unlink(temporary.path + "/db") == 0)
        _ = try temporary.write("db", "y")
        #expect(await iterator.next()?.isRenamed == true)
        watch.cancel()
    }

    @Test func `a missing file cannot be watched`() {
        let error = SystemError(operation: "inotify_add_watch", code: ENOENT)
        #expect(throws: error) {
            try FileWatch("/nowhere/at/all", names: [], on: queue) { _ in }
        }
        #expect(
            error.description == "No such file or directory (ENOENT in inotify_add_watch)")
    }

    @Test func `the process's facts are its own`() {
        let facts = ProcessFacts.current()
        #expect(facts.user == geteuid())
        #expect(facts.environment["PATH"] == getenv("PATH").map { String(cString: $0) })
        #expect(facts.workingDirectory?.hasPrefix("/") == true)
    }

    @Test func `a variable whose value begins with a combining mark is read`() async {
        await #expect(processExitsWith: .success) {
            setenv("SYNCD_MARKED", "\u{301}x", 1)
            let value = ProcessFacts.current().environment["SYNCD_MARKED"]
            #expect(value.map { Array($0.utf8) } == Array("\u{301}x".utf8))
        }
    }

    @Test func `protecting secrets forbids core files and removes the TLS variables`() async {
        await #expect(processExitsWith: .success) {
            setenv("SSLKEYLOGFILE", "/tmp/keys", 1)
            ProcessFacts.protectSecrets()
            #expect(getenv("SSLKEYLOGFILE") == nil)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            #expect(limit.rlim_max == 0)
        }
    }
}
