package import APIClient
package import Declarations

/// What a declaration has to say if the server redirects a call of it to another path of its own.
///
/// Law: only a path that differs by the slash at its end is proposed. Any other may be a page for a login.
package enum MovedCall {
    /// The line for the declaration.
    ///
    /// - Parameters:
    ///   - call: The call that was redirected.
    ///   - kind: What it does.
    ///   - declaration: The list's.
    ///   - failure: The server's answer.
    ///   - base: The address before every path.
    /// - Returns: `"list": "/notes/"`, or `"path": "/notes/{id}/" under "update"`; nil: no line would help.
    package static func line(
        for call: WriteCall, _ kind: WriteCall.Kind, of declaration: Declaration,
        _ failure: StatusFailure, base: BaseURL
    ) -> String? {
        guard let moved = failure.movedTo,
            let sent = target(of: failure.endpoint, at: base.origin),
            let hasSlash = slash(from: sent, to: moved),
            let path = path(call.path.description, withSlash: hasSlash)
        else { return nil }
        let isOfList =
            kind == .create && declaration.listBody == nil
            && call.path.description == pathAlone(declaration.list)
        guard isOfList else { return "\"path\": \"\(path)\" under \"\(kind.rawValue)\"" }
        return listLine(of: declaration, withSlash: hasSlash)
    }

    /// The line for a declaration whose list is read behind a redirect from the target `sent` to `moved`.
    package static func listLine(
        of declaration: Declaration, from sent: String, to moved: String
    ) -> String? {
        slash(from: sent, to: moved).flatMap { listLine(of: declaration, withSlash: $0) }
    }

    private static func listLine(of declaration: Declaration, withSlash hasSlash: Bool) -> String? {
        path(declaration.list, withSlash: hasSlash).map { "\"list\": \"\($0)\"" }
    }

    /// What stands behind the origin in `POST https://notes.example/notes`.
    private static func target(of endpoint: String, at origin: Origin) -> String? {
        guard let space = endpoint.firstIndex(of: " ") else { return nil }
        let address = endpoint[endpoint.index(after: space)...]
        let origin = origin.description
        guard address.hasPrefix(origin + "/") else { return nil }
        return String(address.dropFirst(origin.count))
    }

    /// Whether the path at the other end of a redirect has the slash that differs; nil: more than that differs.
    private static func slash(from sent: String, to moved: String) -> Bool? {
        let (sent, moved) = (pathAlone(sent), pathAlone(moved))
        if moved == sent + "/" { return true }
        return moved + "/" == sent ? false : nil
    }

    /// `text` with a slash at the end of its path, before its query, or without it; nil if it is so already.
    private static func path(_ text: String, withSlash hasSlash: Bool) -> String? {
        let path = pathAlone(text)
        guard path.hasSuffix("/") != hasSlash, path != "/" else { return nil }
        let query = text.dropFirst(path.count)
        return (hasSlash ? path + "/" : String(path.dropLast())) + query
    }

    private static func pathAlone(_ text: String) -> String { String(text.prefix { $0 != "?" }) }
}
