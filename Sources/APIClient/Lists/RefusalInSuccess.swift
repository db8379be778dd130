import Text

/// What some servers say with status 200: that they refuse.
enum RefusalInSuccess {
    /// Bodies beyond this are not read for it.
    private static let maxBodyBytes = 64 << 10

    /// The server's words, if the top of `body` says `"ok": false` or `"success": false`, or has an `"error"` or
    /// `"errors"` with a value; nil otherwise. Whether the body is a row of the list is for the caller to know.
    static func read(_ body: [UInt8], without secrets: Secrets) -> String? {
        guard !body.isEmpty, body.count <= maxBodyBytes,
            let node = try? JSONReader.read(body, maxDepth: BodyCheck.standardDepth),
            case .object(let members) = node.value, members.contains(where: isRefusal)
        else { return nil }
        return FailureReason.read(body, without: secrets) ?? "it says so in a success"
    }

    private static func isRefusal(_ member: JSONNode.Member) -> Bool {
        switch (member.key, member.node.value) {
        case ("ok", .bool(false)), ("success", .bool(false)): true
        case ("error", .text(let text)), ("errors", .text(let text)): !text.isEmpty
        case ("error", .list(let items)), ("errors", .list(let items)): !items.isEmpty
        case ("error", .object(let fields)), ("errors", .object(let fields)): !fields.isEmpty
        case ("error", .bool(let isSet)): isSet
        case (_, _): false
        }
    }
}
