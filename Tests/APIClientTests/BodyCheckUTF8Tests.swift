import APIClient
import Testing

@Suite struct BodyCheckUTF8Tests {
    /// What the standard library says about the same bytes, NUL and the order mark apart.
    private func agrees(_ bytes: [UInt8]) -> Bool {
        var body = bytes
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        do {
            try BodyCheck.run(&body, maxDepth: 64)
            return isValid && body == bytes
        } catch .invalidUTF8 {
            return !isValid
        } catch .rawNUL {
            return bytes.contains(0)
        } catch {
            return bytes.starts(with: [0xEF, 0xBB, 0xBF])
        }
    }

    @Test func `every single byte is judged like the standard library does`() {
        for byte in UInt8.min ... .max where !"[]{}".utf8.contains(byte) {
            #expect(agrees([byte]), "\(byte)")
        }
    }

    @Test func `every pair of bytes is judged alike, bare, in a text and at the end`() {
        for first in UInt8(0x80) ... .max {
            for second in UInt8(0x80) ... .max {
                let pair = [first, second]
                let quoted = Array("\"abcdefgh".utf8) + pair + Array("\"".utf8)
                let isFine = agrees(pair) && agrees(quoted) && agrees(Array("\"".utf8) + pair)
                if !isFine { Issue.record("\(pair)") }
            }
        }
    }

    @Test func `heads of three and four bytes are judged alike with every second byte`() {
        for head in UInt8(0xE0) ... .max {
            for second in UInt8(0x70)...0xC5 {
                for tail: [UInt8] in [
                    [], [0x80], [0x80, 0xBF], [0xBF, 0x80, 0x80], [0x80, 0x7A],
                ] {
                    let bytes: [UInt8] = [head, second] + tail
                    if !agrees(bytes) { Issue.record("\(bytes)") }
                }
            }
        }
    }

    @Test func `random bytes are judged alike`() {
        var random = SeededGenerator(seed: 1)
        let alphabet: [UInt8] = [
            0x22, 0x5C, 0x61, 0x20, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xED,
            0xEF,
            0xF0, 0xF4, 0xF5, 0xFF,
        ]
        for round in 0..<20_000 {
            let bytes = random.bytes(of: alphabet, upTo: 24)
            if !agrees(bytes) { Issue.record("round \(round): \(bytes)") }
        }
    }

    @Test func `random text in many scripts passes unchanged`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<20 {
                let value = UInt32.random(in: 1...0x10FFFF, using: &random)
                if let scalar = Unicode.Scalar(value),
                    !"\"\\[]{}\u{FEFF}".unicodeScalars.contains(scalar)
                {
                    text.unicodeScalars.append(scalar)
                }
            }
            #expect(agrees(Array("\"\(text)\"".utf8)))
        }
    }

    @Test func `an error names the byte where the character begins`() {
        var body = Array("{\"a\":\"é".utf8) + [0xE2, 0x82]
        #expect(throws: BodyCheckError.invalidUTF8(offset: 8)) {
            try BodyCheck.run(&body, maxDepth: 64)
        }
    }

    @Test func `a raw NUL is refused inside and outside of a text`() {
        var inside: [UInt8] = Array("[\"a".utf8) + [0] + Array("\"]".utf8)
        #expect(throws: BodyCheckError.rawNUL(offset: 3)) {
            try BodyCheck.run(&inside, maxDepth: 64)
        }
        var wide: [UInt8] = [0x5B, 0, 0x5D, 0]
        #expect(throws: BodyCheckError.rawNUL(offset: 1)) {
            try BodyCheck.run(&wide, maxDepth: 64)
        }
        var escaped: [UInt8] = Array("\"\\".utf8) + [0]
        #expect(throws: BodyCheckError.rawNUL(offset: 2)) {
            try BodyCheck.run(&escaped, maxDepth: 64)
        }
    }

    @Test func `a raw NUL is found at every place of a long text`() {
        for place in 1..<40 {
            var body = [0x22] + Array(repeating: UInt8(ascii: "a"), count: 40) + [0x22]
            body[place] = 0
            #expect(throws: BodyCheckError.rawNUL(offset: place)) {
                try BodyCheck.run(&body, maxDepth: 64)
            }
        }
    }

    @Test func `a byte order mark is refused`() {
        var body: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("[]".utf8)
        #expect(throws: BodyCheckError.byteOrderMark) { try BodyCheck.run(&body, maxDepth: 64) }
    }
}
