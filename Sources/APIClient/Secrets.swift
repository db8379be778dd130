import FoundationEssentials

/// The secrets of one request, to be taken out of every text that comes back.
struct Secrets: Sendable {
    /// Longest first, so that a secret that holds another one goes whole.
    private let texts: [String]

    /// Keeps each secret, and how it would look in a URL and in Basic credentials.
    ///
    /// A secret of fewer than four bytes is left alone: taking every `a` out of a text would tell
    /// the secret rather than hide it.
    init(_ secrets: [String]) {
        let forms = secrets.flatMap { secret in
            [secret, PercentEncoding.encoded(secret), Data(secret.utf8).base64EncodedString()]
        }
        texts = Set(forms).filter { $0.utf8.count >= 4 }
            .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// `text` with `[redacted]` in the place of each secret.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for secret in texts { bytes = Self.replaced(Array(secret.utf8), in: bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replaced(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == secret[0], bytes[index...].starts(with: secret) {
                result += "[redacted]".utf8
                index += secret.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
