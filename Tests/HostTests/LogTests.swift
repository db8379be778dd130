import Glibc
import Host
import Testing
import Text

private struct FixedTime: TimeSource {
    func wallTime() -> WallTime { WallTime(milliseconds: 0) }
    func bootTime() -> BootTime { BootTime(boot: "b", milliseconds: 0) }
    func wait(for duration: Duration) async {}
}

@Suite struct LogTests {
    let pipe: Pipe
    let secrets = Secrets()

    init() throws {
        pipe = try Pipe()
        try #require(fcntl(pipe.reader, F_SETFL, O_NONBLOCK) == 0)
    }

    private func log(_ format: LogFormat, level: LogLevel = .info) -> Log {
        Log(
            output: StandardError(descriptor: pipe.writer), level: level, format: format,
            time: FixedTime(), secrets: secrets)
    }

    @Test func `a line of text has time, level, message and fields`() {
        log(.text)(.info, "pulled", .init("rows", "7"), .init("why", "a \"b\""), .init("e", ""))
        let line = #"1970-01-01T00:00:00.000Z info    pulled rows=7 why="a \"b\"" e="""#
        #expect(pipe.readNow() == line + "\n")
    }

    @Test(
        arguments: [
            (.debug, 7), (.info, 6), (.warning, 4), (.error, 3),
        ] as [(LogLevel, Int)])
    func `a line for the journal begins with its priority`(level: LogLevel, priority: Int) {
        log(.journal, level: .debug)(level, "text")
        #expect(pipe.readNow() == "<\(priority)>text\n")
    }

    @Test func `foreign text starts no line and moves no cursor`() {
        let text = "a\n<0>fake\u{1b}]52;c;x\u{7}\u{202e}\u{9b}2J\u{2028}\r\t\u{7f}\u{200f}\u{ad}"
        log(.journal)(.error, text)
        let line =
            "a\\n<0>fake\\u{1b}]52;c;x\\u{7}\\u{202e}\\u{9b}2J\\u{2028}\\r\\t\\u{7f}\\u{200f}\\u{ad}"
        #expect(pipe.readNow() == "<3>\(line)\n")
    }

    @Test func `a line of JSON is one object with everything escaped`() {
        log(.json)(.warning, "a\n\"b\"\\\u{1b}\u{202e}é\u{e0041}", .init("host", "x"))
        let line =
            #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","#
            + #""message":"a\n\"b\"\\\u001b\u202eé\udb40\udc41","host":"x"}"#
        #expect(pipe.readNow() == line + "\n")
    }

    @Test func `a line below the level is neither written nor worked out`() {
        let log = log(.text, level: .warning)
        log(
            .info,
            {
                Issue.record("worked out"); return ""
            }())
        #expect(pipe.readNow() == nil)
        log.configure(level: .debug, format: .journal)
        log(.debug, "now")
        #expect(pipe.readNow() == "<7>now\n")
    }

    @Test func `a registered secret appears in no form in any part of a line`() {
        secrets.register("t0ken+/=")
        let text = "t0ken+/= x=t0ken%2B%2F%3D b=\("dDBrZW4rLz0=") t0ken+/=\u{301}"
        log(.journal)(.info, text, .init("f", "t0ken+/="))
        let line = "[redacted] x=[redacted] b=[redacted] [redacted]\u{301} f=[redacted]"
        #expect(pipe.readNow() == "<6>\(line)\n")
    }

    @Test func `the journal is known by device and inode of its stream`() throws {
        var status = stat()
        try #require(fstat(pipe.writer, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        func format(_ environment: [String: String]) -> LogFormat {
            .automatic(environment: environment, descriptor: pipe.writer)
        }
        #expect(format(["JOURNAL_STREAM": stream]) == .journal)
        #expect(format(["JOURNAL_STREAM": "1:1"]) == .text)
        #expect(format([:]) == .text)
    }
}
