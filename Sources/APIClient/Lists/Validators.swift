/// What a server said about the version of an answer, to be sent back at the next read.
///
/// Source: RFC 9110 §8.8 and §13.1.
public struct Validators: Sendable, Hashable {
    /// The value of `ETag`, as it came.
    public var entityTag: String?
    /// The value of `Last-Modified`, as it came.
    public var lastModified: String?

    /// Validators to send; parts that no server could have meant are left out when sending.
    public init(entityTag: String?, lastModified: String?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Whether there is nothing to send.
    public var isEmpty: Bool { entityTag == nil && lastModified == nil }

    /// What an answer offers: a valid entity tag and a valid date, nothing else.
    package init(of response: HTTPResponse) {
        let tag = response.value(of: "ETag").flatMap { EntityTag($0.trimmedHeader) }
        let date = response.value(of: "Last-Modified")?.trimmedHeader
        let isSafe = tag != nil || Self.isOlder(date, than: response.value(of: "Date"))
        self.init(
            entityTag: tag?.description,
            lastModified: date.flatMap { HTTPDate($0) == nil || !isSafe ? nil : $0 })
    }

    /// Two changes in one second have one date: what came in the second of the last one may miss the next.
    private static func isOlder(_ date: String?, than sent: String?) -> Bool {
        guard let date = date.flatMap({ HTTPDate($0) }),
            let sent = sent.flatMap({ HTTPDate($0.trimmedHeader) })
        else { return false }
        return date.seconds + 2 <= sent.seconds
    }

    /// The conditional headers; none for a part that is not valid.
    var fields: [HTTPField] {
        var fields: [HTTPField] = []
        if let entityTag, let tag = EntityTag(entityTag) {
            fields.append(HTTPField("If-None-Match", tag.description))
        }
        if let lastModified, HTTPDate(lastModified) != nil {
            fields.append(HTTPField("If-Modified-Since", lastModified))
        }
        return fields
    }
}
