internal import Text

extension DeclarationReader {
    /// The call that gives a token; nil where a part of it is missing, which is noted.
    mutating func login(_ fields: Fields) -> LoginDescription? {
        let user = user(fields["user"])
        if !fields["path"].isSet {
            demand(fields["path"], example: "the path of the call: \"path\": \"/login\"")
        }
        let path = pathOfCall(fields["path"])
        if !fields["token"].isSet {
            demand(
                fields["token"],
                example: "where the answer has the token: \"token\": \"$.access_token\"")
        }
        let token = self.path(fields["token"])
        let status = integer(fields["status"], in: 400...499) ?? 401
        let prefix = prefix(fields["prefix"]) ?? LoginDescription.standardPrefix
        let body = loginBody(fields["send"], form: fields["as"])
        guard let user, let path, let token else { return nil }
        return LoginDescription(
            path: path, user: user, body: body, token: token, status: status, prefix: prefix)
    }

    private mutating func loginBody(_ place: Place, form: Place) -> LoginDescription.Body {
        let allowed =
            "\"basic\", or an object such as {\"username\": \"@user\", \"password\": \"@password\"}"
        let word = text(form, allowed: "\"json\" or \"form\"") { ["json", "form"].contains($0) }
        guard let node = place.node else { return .none }
        switch node.value {
        case .text("basic"): return .none
        case .object(let members):
            guard node.holds(text: "@password") else {
                note(
                    place.offset, "\(place.name) sends no password",
                    hint: "Write \"@password\" where it belongs.")
                return .none
            }
            guard word == "form" else { return .json(node) }
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
