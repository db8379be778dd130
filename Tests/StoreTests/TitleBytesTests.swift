import SQLite
import Store
import TestSupport
import Testing

/// The trigger's own check of UTF-8, against Swift's.
@Suite struct `the bytes of a title` {
    /// What the trigger says of bytes that are inserted as a text; nil where it takes them.
    private static func refusal(of bytes: [UInt8], by connection: Connection) throws -> String? {
        try connection.run("SAVEPOINT title")
        defer { _ = try? connection.execute(script: "ROLLBACK TO title; RELEASE title") }
        do {
            try connection.run("INSERT INTO todos(title) SELECT CAST(? AS TEXT)", .blob(bytes))
            return nil
        } catch {
            guard error.code == .constraintTrigger else { throw error }
            return error.message
        }
    }

    /// Bytes of which many are nearly UTF-8: whole characters of every length, and what breaks them.
    private static func bytes(_ random: SeededRandom) -> [UInt8] {
        // Halves are judged where they have 32 characters: such lengths are worth a try.
        let count = random.happens(50) ? 30 + random.index(6) : random.index(300)
        let isBroken = random.happens(70)
        var bytes: [UInt8] = []
        for _ in 0..<max(count, 1) {
            if isBroken, random.happens(100 / max(count, 1) + 1) {
                bytes.append(UInt8(1 + random.index(255)))
                continue
            }
            let ranges: [ClosedRange<Int>] = [
                1...0x7f, 0x80...0x7ff, 0x800...0xd7ff, 0xe000...0xffff, 0xfff0...0xffff,
                0x10000...0x10ffff,
            ]
            let range = ranges[random.index(ranges.count)]
            let code = range.lowerBound + random.index(range.count)
            var scalar = Unicode.Scalar(UInt32(code)).map { Array(String($0).utf8) } ?? [0x61]
            if isBroken, random.happens(2), scalar.count > 1 {
                scalar.remove(at: random.index(scalar.count))
            }
            bytes += scalar
        }
        return bytes
    }

    @Test func `S4: they are taken exactly where Swift takes them for UTF-8`() async throws {
        let cache = try Cache(.memory)
        let random = SeededRandom(seed: 4)
        var taken = 0
        var refused = 0
        for _ in 0..<5000 {
            let bytes = Self.bytes(random)
            let text = String(validating: bytes, as: UTF8.self)
            let isUTF8 = text != nil
            let isBlank = text?.allSatisfy(\.isWhitespace) == true
            let refusal = try await cache.store.withConnection {
                try Self.refusal(of: bytes, by: $0)
            }
            #expect(
                refusal
                    == (isBlank
                        ? "the title of a todo must not be blank"
                        : isUTF8 ? nil : "the title of a todo must be valid UTF-8"),
                "\(bytes.map { String($0, radix: 16) })")
            if isUTF8 { taken += 1 } else { refused += 1 }
        }
        #expect(taken > 500)
        #expect(refused > 500)
    }

    @Test func `S4: the noncharacters are UTF-8, wherever they stand`() async throws {
        let cache = try Cache(.memory)
        for place in 0...70 {
            for last in ["\u{fffd}", "\u{fffe}", "\u{ffff}", "\u{1fffe}", "\u{10ffff}"] {
                let text = String(repeating: "é", count: place) + last
                let refusal = try await cache.store.withConnection {
                    try Self.refusal(of: Array(text.utf8), by: $0)
                }
                #expect(refusal == nil, "\(place), \(last)")
            }
        }
    }
}
