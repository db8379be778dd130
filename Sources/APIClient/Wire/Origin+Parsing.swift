import Glibc

extension Origin {
    /// `http` or `https` in lower case, `nil` for any other scheme.
    static func webScheme(_ bytes: some Collection<UInt8>) -> String? {
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        return name == "http" || name == "https" ? name : nil
    }

    /// An origin from what stands between `//` and the next slash, made canonical.
    init(scheme: String, authority: ArraySlice<UInt8>) throws(BaseURLError) {
        guard !authority.contains(UInt8(ascii: "@")) else { throw .userInfo }
        guard authority.allSatisfy({ $0 < 0x80 }) else { throw .nonASCIIHost }
        let standard = scheme == "https" ? 443 : 80
        let host: String
        let rest: ArraySlice<UInt8>
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
            host = try Self.addressLiteral(authority[authority.startIndex + 1..<end])
            rest = authority[(end + 1)...]
        } else {
            let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = try Self.hostName(authority[..<end])
            rest = authority[end...]
        }
        let port = rest.isEmpty ? standard : try Self.port(rest)
        self.init(scheme: scheme, host: host, port: port)
    }

    /// The number after a colon.
    private static func port(_ bytes: ArraySlice<UInt8>) throws(BaseURLError) -> Int {
        let digits = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
        else { throw .port }
        return port
    }

    /// A DNS name or a dotted quad, in lower case. Other spellings of an IPv4 address (`127.1`,
    /// `0x7f.0.0.1`) are refused: a resolver reads them as addresses, our rules would not.
    private static func hostName(_ bytes: ArraySlice<UInt8>) throws(BaseURLError) -> String {
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    PercentEncoding.isAlphanumeric($0) || "-_".utf8.contains($0)
                }
        }
        guard isName, name.utf8.count <= 253, let last = labels.last else { throw .host }
        let isNumber = last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
        guard isNumber else { return name }
        let isQuad =
            labels.count == 4
            && labels.allSatisfy { UInt8($0).map(String.init) ?? "" == $0 }
        guard isQuad else { throw .host }
        return name
    }

    /// An IPv6 address in its one canonical spelling (RFC 5952), in brackets.
    private static func addressLiteral(_ bytes: ArraySlice<UInt8>) throws(BaseURLError) -> String {
        let allowed = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
                || ":.".utf8.contains($0)
        }
        guard allowed, !bytes.isEmpty, bytes.count <= 45 else { throw .host }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1 else {
            throw .host
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(INET6_ADDRSTRLEN)) != nil else {
            throw .host
        }
        let shown = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "[" + String(decoding: shown, as: UTF8.self) + "]"
    }
}
