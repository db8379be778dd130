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

    /// So many bytes of a secret tell it, also where not all of it came back.
    private static let telling = 64
    /// So much of a text is looked through: nothing as long is ever shown.
    private static let longest = 4096

    /// The start of `text` with `[redacted]` in the place of each secret: in capitals or not, for a host
    /// comes back in small letters; plain, or with any of its bytes escaped as in a URL or, in ASCII, in
    /// JSON; a long one also where only its start came back.
    ///
    /// The time does not depend on how long a secret is: a server may choose it, and the text.
    func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8.prefix(Self.longest))
        let forms = forms
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            let length = forms.lazy.compactMap { form in
                Self.length(of: form, at: rest) { $0.first.map { (Self.small($0), 1) } }
                    ?? Self.length(of: form, at: rest, reading: Self.unescaped)
            }.first
            if let length {
                result += "[redacted]".utf8
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// How many of `bytes` are `secret`, from the first one on; nil where they do not begin with it.
    private static func length(
        of secret: [UInt8], at bytes: ArraySlice<UInt8>,
        reading next: (ArraySlice<UInt8>) -> (byte: UInt8, length: Int)?
    ) -> Int? {
        var rest = bytes
        var matched = 0
        while matched < secret.count, let (byte, length) = next(rest), byte == secret[matched] {
            rest = rest.dropFirst(length)
            matched += 1
        }
        return matched >= min(secret.count, telling) ? bytes.count - rest.count : nil
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
