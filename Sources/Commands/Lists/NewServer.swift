internal import CommandLine
internal import Configuration
internal import Text

/// The server of a list that is to be declared, as the options of `declare` give it.
struct NewServer: Sendable {
    /// Its name in the section `servers`; nil: the list describes its server itself.
    let name: String?
    private let headers: [(name: String, value: String)]
    private let auth: JSONNode?
    /// Whether a token goes with each request.
    let hasToken: Bool

    static let options = [
        OptionSpec("server", "NAME", "a server of the configuration's section servers"),
        OptionSpec("token-file", "FILE", "a file of mode 0600 with a token or a password"),
        OptionSpec("token-as", "HOW", "how it is sent, if not as a bearer token"),
        OptionSpec("header", "FIELD", "'Name: value' for each request; can be repeated"),
    ]

    /// Header fields that carry a secret.
    private static let secretFields: Set = [
        "authorization", "cookie", "private-token", "proxy-authorization", "x-api-key",
        "x-auth-token", "x-access-token", "api-key", "x-gitlab-token",
    ]

    init(_ arguments: Arguments, _ composition: Composition) throws(CommandError) {
        name = arguments.values["server"]
        hasToken = arguments.values["token-file"] != nil
        guard hasToken || arguments.values["token-as"] == nil else {
            throw arguments.usage("--token-as says how a token is sent, and needs --token-file")
        }
        let own = ["token-file", "header"].first { arguments.values[$0] != nil }
        if let own, name != nil {
            throw arguments.usage(
                "--\(own) describes a new server, and --server names one that is there")
        }
        var fields: [(name: String, value: String)] = []
        for text in arguments.lists["header"] ?? [] {
            fields.append(try Self.field(text, arguments))
        }
        headers = fields
        auth = try Self.auth(arguments, composition)
    }

    /// The value of `server` in the declaration.
    func json(baseURL: String) -> JSONNode {
        if let name { return .text(name) }
        return .object([
            ("baseURL", .text(baseURL)), ("auth", auth),
            (
                "headers",
                headers.isEmpty ? nil : .object(headers.map { ($0.name, .text($0.value)) })
            ),
        ])
    }

    /// `Name: value`; the value is in no message.
    private static func field(
        _ text: String, _ arguments: Arguments
    ) throws(CommandError) -> (name: String, value: String) {
        let parts = text.unicodeScalars.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map { String($0) } ?? ""
        guard parts.count == 2, !name.isEmpty else {
            throw arguments.usage("--header takes 'Name: value'")
        }
        guard !secretFields.contains(name.lowercased()) else {
            throw arguments.usage(
                "--header \(Arguments.shown(name)) would be a secret on a command line: put it into a file,"
                    + " and give --token-file FILE --token-as 'header \(Arguments.shown(name))'")
        }
        let value = String(parts[1].drop { $0 == " " || $0 == "\t" })
        return (name, value)
    }

    private static func auth(
        _ arguments: Arguments, _ composition: Composition
    ) throws(CommandError) -> JSONNode? {
        guard let given = arguments.values["token-file"] else { return nil }
        let file = JSONNode.text(try composition.absolute(given))
        let how = arguments.values["token-as"] ?? "bearer"
        let words = how.split(separator: " ").map { String($0) }
        switch (words.first, words.count) {
        case ("bearer", 1):
            return .object([("kind", .text("bearer")), ("tokenFile", file)])
        case ("header", 2...3):
            return .object([
                ("kind", .text("header")), ("name", .text(words[1])),
                ("prefix", words.count > 2 ? .text(words[2] + " ") : nil), ("valueFile", file),
            ])
        case ("query", 2):
            return .object([
                ("kind", .text("query")), ("name", .text(words[1])), ("valueFile", file),
            ])
        case ("basic", 2):
            return .object([
                ("kind", .text("basic")), ("user", .text(words[1])), ("passwordFile", file),
            ])
        default:
            throw arguments.usage(
                "--token-as takes bearer, 'header NAME', 'header NAME WORD', 'query NAME' or 'basic USER',"
                    + " not ‘\(Arguments.shown(how))’")
        }
    }
}
