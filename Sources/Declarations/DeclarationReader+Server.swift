internal import Text

extension DeclarationReader {
    /// The servers of the section `servers`.
    mutating func servers(_ place: Place, rules: ServerDescription.Rules) -> [String:
        ServerDescription]
    {
        guard case .object(let members) = place.node?.value,
            members.count <= Limits.lists
        else {
            refuse(place, allowed: "an object of at most \(Limits.lists) servers")
            return [:]
        }
        var servers: [String: ServerDescription] = [:]
        for member in members {
            let name = "\(place.name).\(member.key.start(60))"
            let isName =
                (1...60).contains(member.key.utf8.count)
                && member.key.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x61...0x7A, 0x30...0x39, 0x5F: true
                    default: false
                    }
                }
            guard isName else {
                note(
                    member.offset, "a server cannot be called \"\(member.key.start(60))\"",
                    hint: "Use 1 to 60 of a to z, 0 to 9 and _.")
                continue
            }
            servers[member.key] = server(
                Place(name: name, offset: member.node.offset, node: member.node), rules: rules)
        }
        return servers
    }

    /// A server of the configuration, or of one list alone.
    mutating func server(_ place: Place, rules: ServerDescription.Rules) -> ServerDescription? {
        guard let fields = fields(of: place, keys: Grammar.server) else { return nil }
        let address = address(fields["baseURL"], rules: rules)
        return ServerDescription(
            baseURL: address ?? "",
            authentication: authentication(
                fields["auth"], mayHoldSecret: address.map(rules.isOwnMachine) ?? true,
                rules: rules),
            headers: serverHeaders(fields["headers"]),
            concurrency: integer(fields["concurrency"], in: 1...16) ?? 4,
            account: text(fields["account"], allowed: "a text of 1 to 200 bytes") {
                (1...200).contains($0.utf8.count)
            }, whoami: whoami(fields["whoami"]))
    }

    /// The call that says whose a credential is; nil where a part of it is missing, which is noted.
    private mutating func whoami(_ place: Place) -> WhoAmI? {
        guard place.isSet, let fields = fields(of: place, keys: Grammar.whoami) else { return nil }
        if !fields["path"].isSet {
            demand(fields["path"], example: "the path of the call: \"path\": \"/user\"")
        }
        if !fields["id"].isSet {
            demand(
                fields["id"], example: "where the answer has the account: \"id\": \"$.login\"")
        }
        guard let path = pathOfCall(fields["path"]), let id = self.path(fields["id"]) else {
            return nil
        }
        return WhoAmI(path: path, id: id)
    }

    /// A path below the base URL, with a query or not.
    mutating func pathOfCall(_ place: Place) -> String? {
        text(place, allowed: "a path below the base URL that begins with /, such as /login") {
            $0.hasPrefix("/") && !$0.hasPrefix("//") && $0.utf8.count <= 2000
                && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        }
    }

    /// An address that can be used; nil where it cannot, which is noted.
    mutating func address(_ place: Place, rules: ServerDescription.Rules) -> String? {
        guard place.isSet else {
            demand(
                place,
                example: "the address of the server: \"baseURL\": \"https://example.org/api\"")
            return nil
        }
        // What cannot be used is not shown: it may hold a password.
        guard case .text(let address) = place.node?.value else {
            note(place.offset, "\(place.name) must be an address", hint: "Write an address.")
            return nil
        }
        guard let problem = rules.problem(address) else { return address }
        note(place.offset, "\(place.name) \(problem.sentence)", hint: problem.hint)
        return nil
    }

    private mutating func authentication(
        _ place: Place, mayHoldSecret: Bool, rules: ServerDescription.Rules
    ) -> ServerDescription.Authentication {
        guard place.isSet else { return .none }
        let kinds = Grammar.authentication.map(\.kind)
        guard case .object(let members) = place.node?.value,
            let kind = members.first(where: { $0.key == "kind" }),
            case .text(let word) = kind.node.value,
            let keys = Grammar.authentication.first(where: { $0.kind == word })?.keys
        else {
            // A text in the place of the object may be a secret.
            note(
                place.offset,
                "\(place.name) must be an object whose kind is \(Self.choice(kinds))",
                hint: "Write {\"kind\": \"bearer\", \"tokenFile\": \"/…\"}.")
            return .none
        }
        guard let fields = fields(of: place, keys: ["kind"] + keys) else { return .none }
        if word == "refresh" {
            // `token` is where the answer has one.
            let client = fields["secretFile"].isSet ? secretFile(fields["secretFile"]) : nil
            let token = secretFile(fields["tokenFile"])
            let login = renewal(fields, clientSecret: client, rules: rules)
            return login.map { .login($0, token) } ?? .none
        }
        let secret = secret(fields, stem: keys[0], mayBeInline: mayHoldSecret)
        switch word {
        case "bearer": return .bearer(secret)
        case "header":
            return .header(
                name: fieldName(fields["name"]),
                prefix: prefix(fields["prefix"]) ?? "", secret)
        case "query":
            guard fields["name"].isSet else {
                demand(fields["name"], example: "the query parameter: \"name\": \"api_key\"")
                return .none
            }
            return .query(
                name: text(fields["name"], allowed: "the name of a query parameter") {
                    (1...100).contains($0.utf8.count)
                } ?? "", secret)
        case "login":
            guard let login = login(fields, rules: rules) else { return .none }
            return .login(login, secret)
        default:
            guard let user = user(fields["user"]) else { return .none }
            return .basic(user: user, secret)
        }
    }

    /// What stands before a secret in a header field.
    mutating func prefix(_ place: Place) -> String? {
        text(place, allowed: "a text of visible ASCII") { text in
            text.utf8.count <= 100 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
    }

    /// Nil where it is missing or cannot be one, which is noted.
    mutating func user(_ place: Place) -> String? {
        guard place.isSet else {
            demand(place, example: "the name of the account: \"user\": \"me\"")
            return nil
        }
        return text(place, allowed: "1 to 254 bytes without a colon") { text in
            (1...254).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 > 0x1F && $0 != 0x7F && $0 != UInt8(ascii: ":") }
        }
    }

    private mutating func fieldName(_ place: Place) -> String {
        guard place.isSet else {
            demand(place, example: "the name of the header field: \"name\": \"X-Auth-Token\"")
            return ""
        }
        return text(place, allowed: "the name of a header field", where: Self.isFieldName) ?? ""
    }

    /// The one place of a secret. No message repeats what stands there.
    private mutating func secret(
        _ fields: Fields, stem: String, mayBeInline: Bool
    ) -> ServerDescription.SecretPlace {
        let (inline, file) = (fields[stem], fields["\(stem)File"])
        if inline.isSet, file.isSet {
            note(
                inline.offset, "one secret has two sources: \(inline.name) and \(file.name)",
                hint: "Keep one of them.")
        }
        if let node = inline.node {
            guard case .text(let text) = node.value, !text.isEmpty else {
                note(
                    inline.offset, "\(inline.name) must be a text",
                    hint: "Write the secret as a text.")
                return .credential
            }
            guard mayBeInline else {
                note(
                    inline.offset,
                    "\(inline.name) holds a secret for a server on another machine",
                    hint: "Put the secret into a file of mode 0600 and name that in \(file.name).")
                return .credential
            }
            return .inline(text)
        }
        return secretFile(file)
    }

    private mutating func secretFile(_ file: Place) -> ServerDescription.SecretPlace {
        guard let node = file.node else { return .credential }
        guard case .text(let path) = node.value,
            path.hasPrefix("/") || path.utf8.starts(with: "~/".utf8), !path.utf8.contains(0)
        else {
            note(
                file.offset, "\(file.name) must be an absolute path, or one that begins with ~/",
                hint: "Write where the file is.")
            return .credential
        }
        return .file(path)
    }

    private mutating func serverHeaders(_ place: Place) -> [ServerDescription.Header] {
        headers(place).map { .init(name: $0.name, value: $0.value.description) }
    }
}
