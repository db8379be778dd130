/// Just enough of gzip (RFC 1951, 1952) to make answers: fixed codes, literals and runs.
package struct Gzip {
    package private(set) var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    private var pending: UInt32 = 0
    private var pendingBits: UInt32 = 0

    /// An open stream, with one block begun that is also the last.
    package init() {
        put(1, 1)
        put(1, 2)
    }

    /// `text` as a whole stream.
    package static func of(_ text: String) -> [UInt8] { of(Array(text.utf8)) }

    /// `bytes` as a whole stream.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        var gzip = Gzip()
        for byte in bytes { gzip.literal(byte) }
        return gzip.end(checksumOf: bytes)
    }

    /// The start of a stream that unpacks to `count` times 258 bytes and then one.
    package static func run(of byte: UInt8, count: Int) -> [UInt8] {
        var gzip = Gzip()
        gzip.literal(byte)
        for _ in 0..<count {
            gzip.putCode(0xC5, 8)
            gzip.put(0, 5)
        }
        return gzip.bytes
    }

    /// The start of a stream that is packed `layers` times and unpacks to nothing, however long it
    /// goes on: an empty block of five bytes again and again. Each further layer unpacks to 147 times
    /// the bytes of the one around it.
    package static func bomb(layers: Int, bytes: Int) -> [UInt8] {
        var head = Gzip().bytes
        var pattern: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
        for _ in 1..<layers {
            var gzip = Gzip()
            for byte in head + pattern { gzip.literal(byte) }
            let start = gzip.bytes.count + 1
            // Runs of 258 bytes, at the distance of the pattern: 14 bits each, so that four of them
            // are seven whole bytes.
            for _ in 0..<8 {
                gzip.putCode(0xC5, 8)
                gzip.putCode(pattern.count == 5 ? 4 : 5, 5)
                gzip.put(0, 1)
            }
            head = Array(gzip.bytes[..<start])
            pattern = Array(gzip.bytes[start..<(start + 7)])
        }
        return head + (0..<(bytes / pattern.count)).flatMap { _ in pattern }
    }

    private mutating func literal(_ byte: UInt8) {
        byte < 144 ? putCode(0x30 + UInt32(byte), 8) : putCode(0x190 + UInt32(byte) - 144, 9)
    }

    private mutating func end(checksumOf bytes: [UInt8]) -> [UInt8] {
        putCode(0, 7)
        if pendingBits > 0 { put(0, 8 - pendingBits) }
        for value in [Self.checksum(bytes), UInt32(bytes.count)] {
            for shift in [0, 8, 16, 24] as [UInt32] {
                self.bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return self.bytes
    }

    /// Codes go highest bit first, all else lowest bit first.
    private mutating func putCode(_ code: UInt32, _ count: UInt32) {
        for bit in (0..<count).reversed() { put((code >> bit) & 1, 1) }
    }

    private mutating func put(_ value: UInt32, _ count: UInt32) {
        pending |= value << pendingBits
        pendingBits += count
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
                (value >> 1) ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
            }
        }
    }
}
