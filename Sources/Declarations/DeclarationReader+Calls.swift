internal import Text

extension DeclarationReader {
    /// The calls that change rows, from the keys `create`, `update` and `delete`.
    mutating func calls(
        _ fields: Fields, usual: UsualCalls
    ) -> (calls: [WriteCall.Kind: WriteCall], actions: [WriteCall]) {
        let updates = updates(fields["update"], usual: usual)
        var calls: [WriteCall.Kind: WriteCall] = [:]
        calls[.create] = call(.create, fields["create"], usual: usual)
        calls[.update] = updates.rest
        calls[.delete] = call(.delete, fields["delete"], usual: usual)
        return (calls, updates.actions)
    }

    /// The call that shows one row, from the key `read`.
    mutating func readCall(_ place: Place, usual: UsualCalls) -> ReadCall? {
        guard let node = place.node else { return nil }
        let empty = Fields(name: place.name, offset: place.offset, members: [])
        switch node.value {
        case .bool(false): return nil
        case .bool(true): return readCall(empty, usual: usual)
        case .object:
            return fields(of: place, keys: Grammar.read).map { readCall($0, usual: usual) }
        default:
            refuse(place, allowed: "true, false or an object")
            return nil
        }
    }

    private mutating func readCall(_ fields: Fields, usual: UsualCalls) -> ReadCall {
        let path = callPath(fields["path"], standard: usual.read.path)
        demandBody(fields["body"], of: path, usual.isPosted ? usual.read.path : nil)
        return ReadCall(
            path: path,
            body: fields["body"].node.map { body($0, fields["body"], of: "read", allowed: [.id]) },
            row: self.path(fields["row"]) ?? usual.read.row, columns: shape(fields["columns"]))
    }

    /// At a server whose calls are all a `POST` to one path, `posted`, the body alone says what a call does.
    private mutating func demandBody(
        _ body: Place, of path: TextTemplate, _ posted: TextTemplate?
    ) {
        guard path == posted, !body.isSet else { return }
        note(
            body.offset,
            "\(body.name) is not set, and the list is read by POST: so is each call of it",
            hint: "Add the body of the call, or its path and method.")
    }

    /// Where a row that is read alone has the columns.
    private mutating func shape(_ place: Place) -> [String: JSONPath] {
        guard let node = place.node else { return [:] }
        guard case .object(let members) = node.value, !members.isEmpty,
            members.count <= Limits.columns
        else {
            refuse(place, allowed: "an object of columns, such as {\"body\": \"$.data.body\"}")
            return [:]
        }
        var paths: [String: JSONPath] = [:]
        for member in members {
            let inner = Place(
                name: "\(place.name).\(member.key.start(80))", offset: member.offset,
                node: member.node)
            paths[member.key] = path(inner)
        }
        return paths
    }

    private mutating func callPath(_ place: Place, standard: TextTemplate) -> TextTemplate {
        template(
            place, allowed: "a path that begins with /, and may hold {id}", standard: standard
        ) { text in
            text.hasPrefix("/") && !text.hasPrefix("//")
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }

    mutating func call(
        _ kind: WriteCall.Kind, _ place: Place, usual: UsualCalls
    ) -> WriteCall? {
        guard let node = place.node else { return nil }
        let empty = Fields(name: place.name, offset: place.offset, members: [])
        switch node.value {
        case .bool(false): return nil
        case .bool(true): return call(kind, empty, usual: usual)
        case .object:
            return fields(of: place, keys: Grammar.call).flatMap { call(kind, $0, usual: usual) }
        default:
            refuse(place, allowed: "true, false or an object")
            return nil
        }
    }

    private mutating func call(
        _ kind: WriteCall.Kind, _ fields: Fields, usual: UsualCalls
    ) -> WriteCall? {
        let action = action(fields, of: kind)
        let isPosted = usual.isPosted
        let usual = usual.write(kind, action: action)
        let path = callPath(fields["path"], standard: usual.path)
        demandBody(fields["body"], of: path, isPosted ? usual.path : nil)
        let headers = headers(fields["headers"])
        let version = self.path(fields["version"])
        let usesVersion = ([path] + headers.map(\.value)).contains { $0.parts.contains(.version) }
        if usesVersion != (version != nil) {
            let place = fields[usesVersion ? "path" : "version"]
            note(
                place.offset,
                usesVersion
                    ? "\(fields["version"].name) is not set, and {version} stands in the call"
                    : "\(place.name) is set, and no {version} stands in the call's path or headers",
                hint: "Write both or neither.")
        }
        return WriteCall(
            method: word(fields["method"]) ?? usual.method, path: path,
            body: body(
                fields["body"], of: kind, standard: usual.body,
                hasPlace: action?.givesValues == true || !path.columns.isEmpty),
            contentType: text(fields["type"], allowed: "a media type such as application/json") {
                (1...100).contains($0.utf8.count) && $0.contains("/")
                    && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) || $0 == 0x20 }
            } ?? usual.contentType,
            row: self.path(fields["row"]) ?? usual.row, answerID: answerID(fields["id"], of: kind),
            headers: headers, version: version,
            stale: stale(fields["stale"]), action: action)
    }

    /// `"$.noteID"`, or `"header Location"`.
    private mutating func answerID(_ place: Place, of kind: WriteCall.Kind) -> WriteCall.AnswerID? {
        guard place.node != nil else { return nil }
        guard kind == .create else {
            note(
                place.offset, "\(place.name) is set, and only a create makes a new id",
                hint: "Leave it out.")
            return nil
        }
        if case .text(let text)? = place.node?.value, text.hasPrefix("header ") {
            let name = String(text.dropFirst("header ".count))
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
                refuse(place, allowed: "a path such as $.id, or \"header Location\"")
                return nil
            }
            return .header(name)
        }
        return path(place).map { .member($0) }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func template(
        _ place: Place, allowed: String, standard: TextTemplate, where isAllowed: (String) -> Bool
    ) -> TextTemplate {
        guard let text = text(place, allowed: allowed, where: isAllowed) else { return standard }
        guard let template = TextTemplate(text) else {
            note(
                place.offset,
                "\(place.name) has a brace without its partner: \"\(text.start(60))\"",
                hint: "Write a place for a value as {id}, {version} or {COLUMN}.")
            return standard
        }
        return template
    }

    /// Header fields of a call or of a server.
    mutating func headers(_ place: Place) -> [WriteCall.Header] {
        guard let node = place.node else { return [] }
        guard case .object(let members) = node.value, members.count <= Limits.headers else {
            refuse(place, allowed: "an object of at most \(Limits.headers) header fields")
            return []
        }
        return members.compactMap { member in
            let inner = Place(
                name: "\(place.name).\(member.key.start(80))", offset: member.offset,
                node: member.node)
            guard Self.isFieldName(member.key), !Self.ownFields.contains(Self.folded(member.key))
            else {
                note(
                    member.offset, "\(inner.name) cannot be given: \(Self.ownFieldsReason)",
                    hint: "Remove it.")
                return nil
            }
            let value = template(
                inner, allowed: "a text without control characters",
                standard: TextTemplate(plain: "")
            ) {
                $0.utf8.count <= 1000 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            }
            return .init(name: member.key, value: value)
        }
    }

    private static let ownFields: Set = [
        "authorization", "cookie", "host", "content-length", "transfer-encoding", "content-type",
    ]
    private static let ownFieldsReason =
        "syncd sets Authorization, Content-Type, Cookie, Host and the fields of a body's length itself"

    private mutating func stale(_ place: Place) -> [Int] {
        guard let node = place.node else { return [] }
        guard case .list(let items) = node.value, items.count <= 8 else {
            refuse(place, allowed: "a list of at most 8 statuses such as [412]")
            return []
        }
        return items.enumerated().compactMap { index, item in
            integer(
                Place(name: "\(place.name)[\(index)]", offset: item.offset, node: item),
                in: 400...499)
        }
    }

    private mutating func body(
        _ place: Place, of kind: WriteCall.Kind, standard: BodyTemplate?, hasPlace: Bool
    ) -> BodyTemplate? {
        guard let node = place.node else { return standard }
        let allowed: [BodyTemplate.Placeholder] =
            switch kind {
            case .create: [.row]
            case .update: [.changed, .document, .id]
            case .delete: [.id]
            }
        let body = body(node, place, of: kind.rawValue, allowed: allowed)
        if kind != .delete, !hasPlace, body.placeholders.isEmpty, body.columns.isEmpty {
            note(
                place.offset, "\(place.name) has no place for the values of a row",
                hint: "Put \(Self.choice(allowed.map { "\"\($0.rawValue)\"" })) where they belong.")
        }
        return body
    }

    private mutating func body(
        _ node: JSONNode, _ place: Place, of call: String, allowed: [BodyTemplate.Placeholder]
    ) -> BodyTemplate {
        let body = template(node, place.name)
        for placeholder in body.placeholders where !allowed.contains(placeholder) {
            note(
                place.offset,
                "\(place.name) has \(placeholder.rawValue), which a \(call) does not know",
                hint: "Use \(Self.choice(allowed.map(\.rawValue))).")
        }
        return body
    }

    private mutating func template(_ node: JSONNode, _ name: String) -> BodyTemplate {
        switch node.value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let text): return .number(text)
        case .text(let text):
            // A query in GraphQL stands between such braces, too, and has spaces.
            let inner = text.dropFirst().dropLast()
            if text.hasPrefix("{"), text.hasSuffix("}"), !inner.isEmpty,
                !inner.contains(where: { $0.isWhitespace || "{}".contains($0) })
            {
                return .column(String(inner))
            }
            guard text.hasPrefix("@") else { return .text(text) }
            if let placeholder = BodyTemplate.Placeholder(rawValue: text) {
                return .placeholder(placeholder)
            }
            let known = BodyTemplate.Placeholder.allCases.map(\.rawValue)
            note(
                node.offset, "\(name) has an unknown place for a value: \"\(text.start(40))\"",
                hint: "Use \(Self.choice(known)).")
            return .text(text)
        case .list(let items): return .list(items.map { template($0, name) })
        case .object(let members):
            return .object(members.map { .init(name: $0.key, value: template($0.node, name)) })
        }
    }
}
