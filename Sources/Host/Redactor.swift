internal import Synchronization

/// Takes registered secrets out of text on its way to a log or a person.
///
/// A secret is found as it stands, percent-encoded and in base64. One of fewer than six bytes is not
/// looked for: to blank each `demo` out of a line would tell it rather than hide it. So secrets must
/// not be put into messages in the first place; this is the second door.
public final class Redactor: Sendable {
    /// What stands in a secret's place.
    public static let mask = "[redacted]"

    /// Old tokens make room for new ones, so that a daemon that logs in for years stays small.
    private static let limit = 64
    private let forms = Mutex<[[String]]>([])

    /// A redactor that knows no secret yet.
    public init() {}

    /// Takes `secret` out of every text from now on.
    public func register(_ secret: String) {
        guard secret.utf8.count >= 6 else { return }
        let bytes = Array(secret.utf8)
        let all = [secret, Self.percentEncoded(bytes), Self.base64(bytes)]
        forms.withLock { forms in
            guard !forms.contains(all) else { return }
            if forms.count >= Self.limit { forms.removeFirst() }
            forms.append(all)
        }
    }

    /// `text` with a mask in the place of each registered secret.
    public func redact(_ text: String) -> String {
        let known = forms.withLock { $0 }
        // The longest first, so that a secret inside another leaves nothing of the longer one.
        let all = known.flatMap { $0 }.sorted { $0.utf8.count > $1.utf8.count }
        return all.reduce(text) { text, secret in Self.replace(secret, in: text) }
    }

    /// Compares bytes, not characters: a combining mark after a secret must not hide it.
    private static func replace(_ secret: String, in text: String) -> String {
        let bytes = Array(text.utf8)
        let wanted = Array(secret.utf8)
        guard wanted.count <= bytes.count else { return text }
        var result: [UInt8] = []
        var index = 0
        var isFound = false
        while index < bytes.count {
            if bytes[index] == wanted[0], bytes[index...].starts(with: wanted) {
                result += Array(mask.utf8)
                index += wanted.count
                isFound = true
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return isFound ? String(decoding: result, as: UTF8.self) : text
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// RFC 4648 §4, with padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? "=" : letters[bits >> (18 - 6 * place) & 63])
            }
        }
        return text
    }
}
