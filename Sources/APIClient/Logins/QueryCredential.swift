internal import Text

/// A credential in the query: an address that an answer names may repeat it.
struct QueryCredential: Sendable, Hashable {
    /// The name of its parameter.
    let name: String

    /// `target` with the credential once, at the end.
    func signed(_ target: String, with secret: String) -> String {
        let plain = without(target)
        return plain + (plain.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
            + PercentEncoding.encoded(name) + "=" + PercentEncoding.encoded(secret)
    }

    /// `address` without the credential; the rest of it as it is written.
    func without(_ address: String) -> String {
        let bytes = Array(address.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return address }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        guard mark < end else { return address }
        let parameters = bytes[(mark + 1)..<end]
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = parameters.filter { !isCredential($0) }
        guard kept.count < parameters.count else { return address }
        let query =
            kept.isEmpty ? [] : [UInt8(ascii: "?")] + Array(kept.joined(separator: "&".utf8))
        return String(decoding: bytes[..<mark] + query + bytes[end...], as: UTF8.self)
    }

    private func isCredential(_ parameter: ArraySlice<UInt8>) -> Bool {
        let written = parameter.prefix { $0 != UInt8(ascii: "=") }
        return PercentEncoding.decoded(written).elementsEqual(name.utf8)
    }
}

extension ListCredential {
    /// The credential, where it stands in the query.
    var inQuery: QueryCredential? {
        guard case .query(let name, _) = self else { return nil }
        return QueryCredential(name: name)
    }
}

extension ListClient {
    /// An address that an answer names, without the credential that the server repeats there: it is kept where others can
    /// read it, and would go out twice.
    package func withoutCredential(_ address: String) -> String {
        credential.inQuery?.without(address) ?? address
    }

    /// Whether a text that came from the server holds no secret, so that it may be kept.
    package func mayKeep(_ text: String) -> Bool { secrets.masked(foreign: text) == text }
}
