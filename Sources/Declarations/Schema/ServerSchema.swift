/// The JSON Schema of a server.
///
/// Source: docs/lists.md, "Servers".
package enum ServerSchema {
    /// What the schema of a server refers to, and itself.
    package static var definitions: Schema.Properties {
        let path = Schema.text(
            "where a value stands in a document, such as $.id, $.user.login or $['a name'][0]",
            like: "^\\$")
        return ["path": path, "server": server, "auth": authentication]
    }

    /// The section `servers` of a configuration.
    package static var servers: Schema {
        .named(
            .defined("server"), least: 0, most: Limits.lists,
            "servers of lists, by names of your own")
    }

    /// A server.
    private static var server: Schema {
        .object(
            [
                "baseURL": .text("the address before the path of every list", like: "^https?://"),
                "auth": .defined("auth"), "headers": headers,
                "concurrency": .integer(1...16, "how many requests read at once"),
                "account": .text("tells this account from others of the server"),
                "whoami": .object(
                    [
                        "path": .text("such as /user", like: "^/"),
                        "id": .defined("path"),
                    ], needed: ["path", "id"], "the call that says whose the credential is"),
            ], needed: ["baseURL"])
    }

    static var headers: Schema {
        .named(.text(), least: 0, most: Limits.headers, "header fields of each request")
    }

    /// How a server is told who asks.
    private static var authentication: Schema {
        let call: Schema = .text("below the base URL, or a whole address", like: "^(/|https?://)")
        let status: Schema = .integer(400...499, "by which the server asks for a new token")
        let prefix: Schema = .text("what stands before the secret")
        let form: Schema = .word(["json", "form"], "how `send` is written")
        let token: Schema = .defined("path", "where the answer has the token")
        return .either(
            [
                .object(
                    [
                        "kind": .word(["bearer"]), "token": inline("a token"),
                        "tokenFile": file("the token"),
                    ], needed: ["kind"]),
                .object(
                    [
                        "kind": .word(["header"]), "value": inline("the value"),
                        "valueFile": file("the value"), "name": .text("the header field"),
                        "prefix": prefix,
                    ], needed: ["kind", "name"]),
                .object(
                    [
                        "kind": .word(["query"]), "value": inline("the value"),
                        "valueFile": file("the value"), "name": .text("the query parameter"),
                    ], needed: ["kind", "name"]),
                .object(
                    [
                        "kind": .word(["basic"]), "password": inline("a password"),
                        "passwordFile": file("the password"), "user": .text("the account"),
                    ], needed: ["kind", "user"]),
                .object(
                    [
                        "kind": .word(["login"]), "password": inline("a password"),
                        "passwordFile": file("the password"), "path": call,
                        "user": .text("the account"),
                        "send": .any("\"basic\", or an object with \"@user\" and \"@password\""),
                        "as": form, "token": token, "status": status, "prefix": prefix,
                    ], needed: ["kind", "path", "user", "token"]),
                .object(
                    [
                        "kind": .word(["refresh"]), "tokenFile": file("the refresh token"),
                        "path": call,
                        "send": .any("an object with \"@token\", and \"@secret\""), "as": form,
                        "token": token,
                        "next": .defined("path", "where the answer has the next refresh token"),
                        "status": status, "prefix": prefix,
                        "secretFile": file("the client's own secret"),
                    ], needed: ["kind", "path"]),
            ], "how the server is told who asks")
    }

    private static func inline(_ what: String) -> Schema {
        .text("\(what), for a server on this machine")
    }

    private static func file(_ what: String) -> Schema {
        .text("a file of mode 0600 with \(what)", like: "^(/|~/)")
    }
}
