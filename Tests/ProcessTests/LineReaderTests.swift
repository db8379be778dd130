import Glibc
import Testing

/// What tests count lines with.
@Suite struct LineReaderTests {
    @Test func `every line that was written is there when it is asked for`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = try LineReader(owning: [ends[0]])
        for count in 1...1000 {
            let line = Array("line \(count)\n".utf8)
            try #require(write(ends[1], line, line.count) == line.count)
            #expect(reader.lines.count == count)
        }
        async let last = reader.line(holding: "line 1001")
        try #require(write(ends[1], "line 1001", 9) == 9)
        #expect(reader.lines.count == 1000)
        try #require(write(ends[1], "\nrest", 5) == 5)
        #expect(await last == "line 1001")
        async let never = reader.line(holding: "line 1002")
        close(ends[1])
        #expect(await never == nil)
        #expect(reader.lines.last == "line 1001")
    }
}
