/// The calls of a list whose declaration says no more of them than that they are there.
struct UsualCalls {
    /// The path of the list, with a query or not.
    let list: String
    /// The list itself is read by `POST`. At such servers every call is one, to the same path.
    let isPosted: Bool

    private var path: String { String(list.prefix { $0 != "?" }) }

    /// The call that most servers have.
    ///
    /// An action that gives its values itself is a POST without a body: most servers have it so.
    func write(_ kind: WriteCall.Kind, action: WriteCall.Action? = nil) -> WriteCall {
        let (method, body): (WriteCall.Method, BodyTemplate?) =
            switch kind {
            case _ where isPosted: (.post, nil)
            case .create: (.post, .placeholder(.row))
            case .update where action?.givesValues == true: (.post, nil)
            case .update: (.patch, .placeholder(.changed))
            case .delete: (.delete, nil)
            }
        return WriteCall(
            method: method,
            path: TextTemplate(list: path, isOfRow: kind != .create && !isPosted), body: body,
            contentType: "application/json", row: .root, answerID: nil, headers: [], version: nil,
            stale: [], action: action)
    }

    /// The call that shows one row.
    var read: ReadCall { ReadCall(path: write(.delete).path, body: nil, row: .root) }
}
