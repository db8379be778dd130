import Glibc
import Host
import Testing

@Suite struct OutputTests {
    @Test func `a full disk is told, and told again`() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let output = StandardOutput(descriptor: full)
        try output.write("a line\n")
        let expected = OutputError.diskFull(SystemError(operation: "write", code: ENOSPC))
        #expect(throws: expected) { try output.flush() }
        #expect(throws: expected) { try output.flush() }
        #expect(expected.hint == "Free space on the disk, then try again.")
    }

    @Test func `a pipe that nobody reads is told`() throws {
        Signals.ignoreWriteSignals()
        let pipe = try Pipe()
        pipe.closeReader()
        let output = StandardOutput(descriptor: pipe.writer)
        #expect(throws: OutputError.closedPipe) {
            for _ in 0..<100 { try output.write(String(repeating: "x", count: 10_000)) }
            try output.flush()
        }
    }

    @Test func `a slow reader of a pipe in non-blocking mode gets every byte`() throws {
        let pipe = try Pipe()
        try #require(fcntl(pipe.writer, F_SETFL, O_NONBLOCK) == 0)
        let text = (0..<30_000).map { "\($0)\n" }.joined()
        let reader = Reader(descriptor: pipe.reader)
        let output = StandardOutput(descriptor: pipe.writer)
        try output.write(text)
        try output.flush()
        pipe.closeWriter()
        #expect(reader.finish() == text)
    }

    @Test func `nothing is written before it is flushed or enough has come together`() throws {
        let pipe = try Pipe()
        try #require(fcntl(pipe.reader, F_SETFL, O_NONBLOCK) == 0)
        let output = StandardOutput(descriptor: pipe.writer)
        try output.write("kept")
        #expect(pipe.readNow() == nil)
        try output.flush()
        #expect(pipe.readNow() == "kept")
    }

    @Test func `standard error never throws`() throws {
        Signals.ignoreWriteSignals()
        let pipe = try Pipe()
        pipe.closeReader()
        StandardError(descriptor: pipe.writer).write("lost\n")
        StandardError(descriptor: -1).write("lost\n")
    }

    /// The write itself would wait for ever.
    @Test(.timeLimit(.minutes(3)))
    func `standard error that nobody reads is given up, and not waited for again`() throws {
        let pipe = try Pipe()
        try #require(fcntl(pipe.writer, F_SETFL, O_NONBLOCK) == 0)
        while write(pipe.writer, "x", 1) == 1 {}
        try #require(fcntl(pipe.writer, F_SETFL, 0) == 0)
        let errors = StandardError(descriptor: pipe.writer)
        for _ in 0..<1000 { errors.write("lost\n") }
        #expect(pipe.readNow()?.contains("lost") == false)
        var rest = [UInt8](repeating: 0, count: 1 << 20)
        try #require(fcntl(pipe.reader, F_SETFL, O_NONBLOCK) == 0)
        while read(pipe.reader, &rest, rest.count) > 0 {}
        errors.write("found\n")
        #expect(pipe.readNow() == "found\n")
    }

    @Test func `a pipe is no terminal`() throws {
        let pipe = try Pipe()
        #expect(Terminal(descriptor: pipe.writer, environment: ["COLUMNS": "100"]) == nil)
    }

    @Test func `a terminal has the width that it says, or that the environment says`() throws {
        let leader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(leader >= 0)
        defer { close(leader) }
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Glibc's Swift module leaves out.
        try #require(ioctl(leader, 0x4004_5431, &number) == 0)
        try #require(ioctl(leader, 0x8004_5430, &number) == 0)
        let follower = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(follower >= 0)
        defer { close(follower) }
        #expect(Terminal(descriptor: follower, environment: [:])?.width == 80)
        var size = winsize(ws_row: 24, ws_col: 133, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(follower, UInt(TIOCSWINSZ), &size) == 0)
        #expect(Terminal(descriptor: follower, environment: [:])?.width == 133)
        #expect(Terminal(descriptor: follower, environment: ["COLUMNS": "50"])?.width == 50)
        #expect(Terminal(descriptor: follower, environment: ["COLUMNS": "-1"])?.width == 133)
        #expect(Terminal(descriptor: follower, environment: [:])?.allowsColour == true)
        let plain = Terminal(descriptor: follower, environment: ["NO_COLOR": "1"])
        #expect(plain?.allowsColour == false)
    }
}
