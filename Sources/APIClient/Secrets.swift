import FoundationEssentials

/// The secrets of one request, to be taken out of every text that comes back.
struct Secrets: Sendable {
    /// Each secret, and how it would look in Basic credentials; longest first, so that a secret that
    /// holds another one goes whole.
    ///
    /// What has fewer than four bytes is left alone: taking every `a` out of a text would tell the secret
    /// rather than hide it.
    private var forms: [[UInt8]] {
        let forms = secrets.flatMap { secret in
            let padded = Array(Data(secret.utf8).base64EncodedString().utf8)
            let bare = Array(padded.prefix { $0 != UInt8(ascii: "=") })
            let forURLs = bare.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            }
            return [Array(secret.utf8), padded, bare, forURLs]
        }
        return Set(forms).filter { $0.count >= 4 }.map { $0.map(Self.small) }
            .sorted {
                $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
            }
    }

    private let secrets: [String]

    init(_ secrets: [String]) { self.secrets = secrets }

    /// `text` with `[redacted]` in the place of each secret: in capitals or not, for a host comes back in
    /// small letters; plain, or with any of its bytes escaped as in a URL or, in ASCII, in JSON.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for secret in forms where secret.count <= bytes.count {
            bytes = Self.replaced(secret, in: bytes) { $0.first.map { (Self.small($0), 1) } }
            bytes = Self.replaced(secret, in: bytes, reading: Self.unescaped)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replaced(
        _ secret: [UInt8], in bytes: [UInt8],
        reading next: (ArraySlice<UInt8>) -> (byte: UInt8, length: Int)?
    ) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            var end = index
            var matched = 0
            while matched < secret.count, let (byte, length) = next(bytes[end...]),
                byte == secret[matched]
            {
                end += length
                matched += 1
            }
            if matched == secret.count {
                result += "[redacted]".utf8
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// What the first byte of `bytes` stands for, alone or with what follows, and how long that is:
    /// `%2F`, `\u002f`, `\/`, or the byte itself.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> (byte: UInt8, length: Int)? {
        guard let first = bytes.first else { return nil }
        if first == UInt8(ascii: "%"), let byte = hexadecimal(bytes.dropFirst().prefix(2)) {
            return (small(byte), 3)
        }
        if first == UInt8(ascii: "\\"), let second = bytes.dropFirst().first {
            if small(second) == UInt8(ascii: "u"), bytes.dropFirst(2).starts(with: "00".utf8),
                let byte = hexadecimal(bytes.dropFirst(4).prefix(2))
            {
                return (small(byte), 6)
            }
            return (small(second), 2)
        }
        return (small(first), 1)
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, let high = PercentEncoding.hexValue(digits[digits.startIndex]),
            let low = PercentEncoding.hexValue(digits[digits.startIndex + 1])
        else { return nil }
        return high << 4 | low
    }

    /// A letter of ASCII in its small form.
    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
