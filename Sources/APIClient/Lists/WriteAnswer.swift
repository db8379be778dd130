/// The answer to a write that is a success.
package struct WriteAnswer: Sendable, Hashable {
    /// 200 to 299.
    package let status: Int
    /// Its bytes, which have passed ``BodyCheck``; empty where there are none, or no JSON.
    package let body: [UInt8]
    /// Its header fields.
    package let fields: [HTTPField]
    /// What it says in the words of a refusal, escaped and without secrets; nil where it says nothing of the kind.
    package let refusal: String?

    /// An answer.
    package init(
        status: Int, body: [UInt8], fields: [HTTPField] = [], refusal: String? = nil
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.refusal = refusal
    }

    /// The id that the header field `name` names as the last segment of an address, or as it is. Of an address that
    /// has to stand `below` a path, nil where it does not.
    package func id(in name: String, below path: String? = nil) -> String? {
        let values = fields.filter { $0.isNamed(name) }
        guard values.count == 1 else { return nil }
        var text = values[0].value.trimmedHeader
        if !text.hasPrefix("/"), let colon = text.firstIndex(of: ":"),
            text[colon...].hasPrefix("://")
        {
            let rest = text[text.index(colon, offsetBy: 3)...]
            text = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        text = String(text.prefix { $0 != "?" && $0 != "#" })
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        var segments = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = segments.popLast(), !last.isEmpty else { return nil }
        if let path {
            var parent = path
            while parent.hasSuffix("/") { parent.removeLast() }
            guard segments.joined(separator: "/") == parent else { return nil }
        }
        return String(decoding: PercentEncoding.decoded(Array(last.utf8)[...]), as: UTF8.self)
    }
}
