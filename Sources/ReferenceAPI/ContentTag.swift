/// A weak validator of what an answer holds (RFC 9110 §8.8.3).
struct ContentTag {
    /// As it stands in the `ETag` field.
    let field: String

    /// The tag of content that is told apart by `bytes` (FNV-1a, 64 bits).
    init(of bytes: some Sequence<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        field = "W/\"\(String(hash, radix: 16))\""
    }

    /// Whether an `If-None-Match` field names this tag by weak comparison, or any (`*`).
    ///
    /// Source: RFC 9110 §8.8.3.2 and §13.1.2.
    func isNamed(in condition: String) -> Bool {
        let opaque = field.dropFirst(2)
        // Our tags hold neither comma nor space, so that splitting cannot cut one.
        return condition.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" })
            .contains { $0 == "*" || $0 == field || $0 == opaque }
    }
}
