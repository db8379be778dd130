import APIClient
import CurlHTTP
import Testing

@Suite("The header of an answer, line by line")
struct AnswerHeaderTests {
    private func header(_ lines: [[UInt8]], limit: Int = 65_536) throws(TransportError)
        -> AnswerHeader
    {
        var header = AnswerHeader(limit: limit)
        for line in lines {
            let result = line.withUnsafeBytes { bytes -> Result<Void, TransportError> in
                Result { () throws(TransportError) in try header.take(line: bytes) }
            }
            try result.get()
        }
        return header
    }

    private func header(_ text: String) throws(TransportError) -> AnswerHeader {
        try header(text.split(separator: "|").map { Array(($0 + "\r\n").utf8) } + [[13, 10]])
    }

    @Test func `a control character in a value becomes a space`() throws {
        let header = try header("HTTP/1.1 200 OK|ETag: a\rb\u{1}c\u{7F}d\te")
        #expect(header.fields == [HTTPField("ETag", "a b c d\te")])
    }

    @Test(arguments: [
        ("5", 5), ("0", 0), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
        ("-5", nil), ("+5", nil), ("5, 5", nil), ("", nil), ("0x5", nil),
    ])
    func `a length is read only where it is one`(text: String, length: Int?) throws {
        #expect(try header("HTTP/1.1 200 OK|Content-Length: \(text)").contentLength == length)
    }

    @Test(arguments: HeldThreadTests.refused)
    func `F3: other codings are refused at the end of the header`(fields: String) throws {
        let lines = ("HTTP/1.1 200 OK\r\n" + fields).split(separator: "\r\n").map {
            Array(($0 + "\r\n").utf8)
        }
        #expect(try !header(lines).isComplete)
        #expect(throws: TransportError.self) { try header(lines + [[13, 10]]) }
        // Where no body follows, nothing is unpacked.
        let bodiless = [Array("HTTP/1.1 304 Not Modified\r\n".utf8)] + lines.dropFirst()
        #expect(try header(bodiless + [[13, 10]]).isComplete)
    }

    @Test func `nothing counts as complete before the empty line of the final block`() throws {
        let interim = try header("HTTP/1.1 100 Continue|A: b")
        #expect(!interim.isComplete)
        #expect(interim.status == nil)
        #expect(interim.fields == [])
    }

    /// Whatever comes: no trap, no control character in a field, never more than the limit.
    @Test(arguments: 0..<200) func `any bytes are taken or refused`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let lines = (0..<20).map { number in
            var line = Array((number == 0 ? "HTTP/1.1 200 OK" : "Name: value").utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...line.count, using: &random)
                line.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
            return Int.random(in: 0..<8, using: &random) == 0 ? line : line + [13, 10]
        }
        do throws(TransportError) {
            let header = try header(lines, limit: 250)
            #expect(lines.map(\.count).reduce(0, +) <= 250)
            for field in header.fields {
                #expect(!field.name.isEmpty)
                #expect(
                    (field.name + field.value).utf8.allSatisfy {
                        $0 >= 0x20 && $0 != 0x7F || $0 == 9
                    })
            }
        } catch {
            #expect(["notHTTP", "headerTooLarge 250"].contains(TransportError?.some(error).kind))
        }
    }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
