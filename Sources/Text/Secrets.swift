internal import Synchronization

/// The secrets of a process, to be taken out of every text before it is stored, logged or shown.
///
/// A process has one set, and its clients, its log and its console share it: a server may quote a secret
/// in the answer to a request that does not hold it. So secrets are registered as they come, and each
/// text is masked with all of them.
///
/// A secret is found as it stands, in capitals or not (a host comes back in small letters), in base64,
/// alone or with any of its bytes escaped as in a URL or, in ASCII, in JSON.
public final class Secrets: Sendable {
    /// What stands in a secret's place.
    public static let mask = "[redacted]"

    /// Old tokens make room for new ones, so that a daemon that logs in for years stays small.
    private static let limit = 64
    /// So many bytes of a secret tell it, also where not all of it came back.
    private static let telling = 64
    /// So much of a foreign text is looked through: nothing as long is ever shown.
    private static let longest = 4096

    private struct Known: Sendable {
        /// The last one came last.
        var secrets: [[UInt8]] = []
        /// How they can look, by the first byte; longest first, so that a secret that holds another
        /// one goes whole.
        var forms: [UInt8: [[UInt8]]] = [:]
    }
    private let known = Mutex(Known())

    /// A set that knows no secret yet.
    public init() {}

    /// Takes `secret` out of every text from now on.
    public func register(_ secret: String) {
        let secret = Array(secret.utf8)
        known.withLock { known in
            guard known.secrets.last != secret else { return }
            known.secrets.removeAll { $0 == secret }
            known.secrets.append(secret)
            if known.secrets.count > Self.limit { known.secrets.removeFirst() }
            let forms = Set(known.secrets.flatMap(Self.forms)).sorted {
                $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
            }
            known.forms = Dictionary(grouping: forms) { $0.first ?? 0 }
        }
    }

    /// A text of ours with a mask in the place of each secret of six bytes or more. Whoever knows our
    /// sentences would read a mask in the place of `todo` as `todo`.
    public func masked(_ text: String) -> String { masked(Array(text.utf8), leastBytes: 6) ?? text }

    /// The start of a stranger's text, at most 4096 bytes, with a mask in the place of each secret of four
    /// bytes or more: taking every `a` out of a text would tell the secret rather than hide it.
    ///
    /// A long secret is found also where only its first 64 bytes came back. The time does not depend on
    /// how long a secret is: a server may choose it, and the text.
    public func masked(foreign text: String) -> String {
        let start = Array(text.utf8.prefix(Self.longest))
        return masked(start, leastBytes: 4) ?? String(decoding: start, as: UTF8.self)
    }

    /// A stranger's text, fit to be stored and shown: masked, escaped, and at most `maxBytes` long. In a text
    /// that is escaped or cut already, a secret would not be found.
    public func mended(foreign text: String, maxBytes: Int) -> String {
        ForeignText.escaped(masked(foreign: text), maxBytes: maxBytes)
    }

    /// Nil where there is nothing to mask.
    private func masked(_ bytes: [UInt8], leastBytes: Int) -> String? {
        let forms = known.withLock { $0.forms }
        // Most commands read no secret.
        guard !forms.isEmpty else { return nil }
        var result: [UInt8] = []
        var kept = 0
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            guard let length = Self.length(of: forms, at: rest, leastBytes: leastBytes) else {
                index += 1
                continue
            }
            result += bytes[kept..<index]
            result += Self.mask.utf8
            index += length
            kept = index
        }
        return kept == 0 ? nil : String(decoding: result + bytes[kept...], as: UTF8.self)
    }

    /// How many of `bytes` are a secret, from the first one on; nil where they do not begin with one.
    private static func length(
        of forms: [UInt8: [[UInt8]]], at bytes: ArraySlice<UInt8>, leastBytes: Int
    ) -> Int? {
        guard let first = bytes.first else { return nil }
        let plain = forms[small(first), default: []].lazy.filter { $0.count >= leastBytes }
        let found = plain.compactMap { form in
            length(of: form, at: bytes) { $0.first.map { (small($0), 1) } }
                ?? length(of: form, at: bytes, reading: unescaped)
        }.first
        if let found { return found }
        guard first == UInt8(ascii: "%") || first == UInt8(ascii: "\\"),
            let meant = unescaped(bytes)?.byte
        else { return nil }
        let escaped = forms[meant, default: []].lazy.filter { $0.count >= leastBytes }
        return escaped.compactMap { length(of: $0, at: bytes, reading: unescaped) }.first
    }

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
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// The secret itself, in base64 with and without its padding, and in base64 for URLs.
    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let padded = base64(secret)
        let bare = Array(padded.prefix { $0 != UInt8(ascii: "=") })
        let forURLs = bare.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return [secret, padded, bare, forURLs].filter { $0.count >= 4 }.map { $0.map(small) }
    }

    /// Source: RFC 4648 §4.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place > group.count
                        ? UInt8(ascii: "=") : letters[bits >> (18 - 6 * place) & 63])
            }
        }
        return text
    }

    /// A letter of ASCII in its small form.
    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
