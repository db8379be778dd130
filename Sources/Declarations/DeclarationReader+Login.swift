internal import Text

extension DeclarationReader {
    /// The call that gives a token; nil where a part of it is missing, which is noted.
    mutating func login(
        _ fields: Fields, rules: ServerDescription.Rules
    ) -> LoginDescription? {
        let user = user(fields["user"])
        if !fields["token"].isSet {
            demand(
                fields["token"],
                example: "where the answer has the token: \"token\": \"$.access_token\"")
        }
        let path = loginPath(fields["path"], rules: rules)
        let token = self.path(fields["token"])
        let body = loginBody(fields["send"], form: fields["as"], renews: false)
        let (status, prefix) = (loginStatus(fields), loginPrefix(fields))
        guard let user, let path, let token else { return nil }
        return LoginDescription(
            path: path, user: user, body: body, token: token, status: status,
            prefix: prefix, renewal: nil)
    }

    /// The call that gives a token for one that renews others. What is left out is as OAuth 2 has it.
    ///
    /// Source: RFC 6749 §5.1, §6.
    mutating func renewal(
        _ fields: Fields, clientSecret: ServerDescription.SecretPlace?,
        rules: ServerDescription.Rules
    ) -> LoginDescription? {
        func usual(_ name: String) -> JSONPath { JSONPath(steps: [.member(name)]) }
        let path = loginPath(fields["path"], rules: rules)
        let token =
            fields["token"].isSet ? self.path(fields["token"]) : usual("access_token")
        let next = fields["next"].isSet ? self.path(fields["next"]) : usual("refresh_token")
        let send = fields["send"]
        let usualSend = JSONNode.object([
            ("grant_type", .text("refresh_token")), ("refresh_token", .text("@token")),
        ])
        let body = loginBody(
            Place(name: send.name, offset: send.offset, node: send.node ?? usualSend),
            form: fields["as"], renews: true)
        let sendsSecret = send.node?.holds(text: "@secret") ?? false
        if sendsSecret != (clientSecret != nil) {
            let file = fields["secretFile"]
            note(
                (sendsSecret ? send : file).offset,
                sendsSecret
                    ? "\(send.name) has \"@secret\", and \(file.name) is not set"
                    : "\(file.name) names a secret that \(send.name) does not send",
                hint: sendsSecret
                    ? "Put the client's secret into a file, and name it in \(file.name)."
                    : "Write \"@secret\" where it belongs in \(send.name).")
        }
        let (status, prefix) = (loginStatus(fields), loginPrefix(fields))
        guard let path, let token, let next else { return nil }
        return LoginDescription(
            path: path, user: "", body: body, token: token, status: status,
            prefix: prefix,
            renewal: LoginDescription.Renewal(next: next, clientSecret: clientSecret))
    }

    private mutating func loginStatus(_ fields: Fields) -> Int {
        integer(fields["status"], in: 400...499) ?? 401
    }

    private mutating func loginPrefix(_ fields: Fields) -> String {
        prefix(fields["prefix"]) ?? LoginDescription.standardPrefix
    }

    /// A path below the base URL, or a whole address: some servers give tokens at a host of its own.
    private mutating func loginPath(
        _ place: Place, rules: ServerDescription.Rules
    ) -> String? {
        guard place.isSet else {
            demand(place, example: "the path of the call: \"path\": \"/login\"")
            return nil
        }
        guard case .text(let text) = place.node?.value, text.contains("://") else {
            return pathOfCall(place)
        }
        return address(place, rules: rules)
    }

    private mutating func loginBody(
        _ place: Place, form: Place, renews: Bool
    ) -> LoginDescription.Body {
        let (secret, allowed) =
            renews
            ? (
                "token",
                "an object such as {\"grant_type\": \"refresh_token\", \"refresh_token\": \"@token\"}"
            )
            : (
                "password",
                "\"basic\", or an object such as {\"username\": \"@user\", \"password\": \"@password\"}"
            )
        let placeholder = LoginDescription.placeholder(renews: renews)
        let word = text(form, allowed: "\"json\" or \"form\"") { ["json", "form"].contains($0) }
        guard let node = place.node else { return .none }
        switch node.value {
        case .text("basic") where !renews: return .none
        case .object(let members):
            guard node.holds(text: placeholder) else {
                note(
                    place.offset, "\(place.name) sends no \(secret)",
                    hint: "Write \"\(placeholder)\" where it belongs.")
                return .none
            }
            // OAuth 2 knows forms alone.
            guard word ?? (renews ? "form" : "json") == "form" else { return .json(node) }
            let fields = members.compactMap { member -> LoginDescription.Field? in
                guard case .text(let value) = member.node.value else { return nil }
                return LoginDescription.Field(name: member.key, value: value)
            }
            if fields.count < members.count {
                note(
                    place.offset,
                    "\(place.name) is sent as a form, and has a value that is no text",
                    hint: "Write texts, or \"as\": \"json\".")
            }
            return .form(fields)
        default:
            // It may be the password itself.
            note(place.offset, "\(place.name) must be \(allowed)", hint: "Write \(allowed).")
            return .none
        }
    }
}

extension JSONNode {
    fileprivate func holds(text: String) -> Bool {
        switch value {
        case .text(let found): found == text
        case .list(let items): items.contains { $0.holds(text: text) }
        case .object(let members): members.contains { $0.node.holds(text: text) }
        case .null, .bool, .number: false
        }
    }
}
