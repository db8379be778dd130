/// The keys of each object of a declaration. The reader takes these and no others, and the JSON Schema has them.
package enum Grammar {
    /// A declaration.
    package static let declaration = [
        "enabled", "server", "list", "each", "rows", "while", "id", "pages", "since", "interval",
        "columns", "search", "history", "label", "create", "update", "delete", "read", "once",
        "match", "identity", "conflict",
    ]
    package static let list = ["method", "path", "body"]
    /// The keys beside the one that names the part.
    package static let each = ["changed", "whole", "most"]
    package static let since = ["query", "moment", "whole", "deleted", "form"]
    package static let column =
        ColumnType.words.map(\.rawValue)
        + ["of", "write", "required", "index", "bytes", "empty", "as", "in"]
    package static let call = [
        "method", "path", "body", "type", "row", "id", "headers", "version", "stale", "for", "when",
        "toggle",
    ]
    package static let read = ["path", "body", "row", "columns"]
    package static let server = ["baseURL", "auth", "headers", "concurrency", "account", "whoami"]
    package static let whoami = ["path", "id"]
    /// The first key says which kind of pages it is.
    package static let paging = [
        ["next", "rows"], ["cursor", "as", "more", "rows"],
        ["page", "from", "pages", "rows", "most"], ["offset", "limit", "rows"], ["none", "whole"],
    ]
    /// The first key says which way it is.
    package static let once = [["header"], ["column", "form"]]
    /// What each kind of `auth` has beside `kind`: first the key of its secret.
    package static let authentication: [(kind: String, keys: [String])] = [
        ("bearer", ["token", "tokenFile"]), ("header", ["value", "valueFile", "name", "prefix"]),
        ("query", ["value", "valueFile", "name"]), ("basic", ["password", "passwordFile", "user"]),
        (
            "login",
            [
                "password", "passwordFile", "path", "user", "send", "as", "token", "status",
                "prefix",
            ]
        ),
        (
            "refresh",
            [
                "tokenFile", "path", "send", "as", "token", "next", "status", "prefix",
                "secretFile",
            ]
        ),
    ]
}
