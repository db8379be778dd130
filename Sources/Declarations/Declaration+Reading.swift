internal import Text

extension Declaration {
    /// A declaration, and the server that its file describes itself.
    public struct File: Sendable, Hashable {
        /// The list.
        public let declaration: Declaration
        /// What stands under `server`; nil where the key names one of the configuration's servers.
        public let server: ServerDescription?
    }

    /// Reads and checks the content of `lists/NAME.json`.
    ///
    /// - Parameters:
    ///   - bytes: The file's content, at most ``Limits/fileBytes``.
    ///   - name: The file's name without its ending.
    ///   - rules: Which addresses can be used.
    /// - Returns: The declaration, and the server that the file describes.
    /// - Throws: ``DeclarationError`` with everything that is wrong, in the order of the file. For what
    ///   is no JSON, that is the first place where it is none.
    public static func read(
        _ bytes: [UInt8], name: ListName, rules: ServerDescription.Rules
    ) throws(DeclarationError) -> File {
        try read(bytes, name: name, serverRules: rules)
    }

    /// Reads a declaration as a cache keeps it: of a list that ships with syncd, too, and without a server.
    package static func stored(
        _ text: String, name: String
    ) throws(DeclarationError) -> Declaration {
        try read(Array(text.utf8), name: ListName(kept: name), serverRules: nil).declaration
    }

    private static func read(
        _ bytes: [UInt8], name: ListName, serverRules: ServerDescription.Rules?
    ) throws(DeclarationError) -> File {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONReader.read(bytes)
        } catch {
            throw DeclarationError(problems: [
                DeclarationProblem(
                    position: error.position,
                    sentence: ForeignText(error.reason.start(300)).escaped,
                    hint: "Correct the file at this place.")
            ])
        }
        var reader = DeclarationReader(bytes: bytes)
        let file = reader.file(root, name: name, serverRules: serverRules)
        let problems = reader.sorted
        guard problems.isEmpty, let file else { throw DeclarationError(problems: problems) }
        return file
    }
}

extension DeclarationReader {
    fileprivate mutating func file(
        _ root: JSONNode, name: ListName, serverRules: ServerDescription.Rules?
    ) -> Declaration.File? {
        let whole = Place(name: "the declaration", offset: root.offset, node: root)
        guard case .object(let members) = root.value else {
            refuse(whole, allowed: "an object")
            return nil
        }
        _ = fields(
            of: Place(name: "", offset: root.offset, node: root), keys: Grammar.declaration)
        let fields = Fields(name: "", offset: root.offset, members: members)
        let server = server(fields["server"], rules: serverRules)
        let (list, listBody) = list(fields["list"])
        let usual = UsualCalls(list: list, isPosted: listBody != nil)
        let interval = interval(fields["interval"])
        let each = each(fields["each"], list: list, interval: interval)
        let (calls, actions) = calls(fields, usual: usual)
        let isReadOnly = calls.isEmpty && actions.isEmpty
        let columns = columns(fields["columns"], each: each, creates: calls[.create] != nil)
        let id = id(fields["id"], isReadOnly: isReadOnly)
        let once = once(fields["once"])
        let completed = completed(
            columns, isReadOnly: isReadOnly, ids: id.ids, at: fields["columns"]
        ).map { column in
            // A mark is sent with the row.
            if case .column(column.name, _) = once, calls[.create] != nil { return column.marked }
            return column
        }
        let match = texts(fields["match"], allowed: "a list of columns")
        let identity = texts(fields["identity"], allowed: "a list of columns")
        let rows = rows(fields["rows"])
        let declaration = Declaration(
            name: name, isEnabled: bool(fields["enabled"], standard: true), server: server.name,
            list: list, listBody: listBody, each: each, rows: rows.path,
            rowsAreMembers: rows.areMembers,
            condition: condition(fields["while"]), id: id.path, ids: id.ids,
            paging: paging(fields["pages"]), since: since(fields["since"], interval: interval),
            interval: interval,
            columns: completed,
            search: texts(fields["search"], allowed: "a list of columns"),
            history: text(fields["history"], allowed: "the name of a column"),
            label: text(fields["label"], allowed: "the name of a column"),
            calls: calls, actions: actions, read: readCall(fields["read"], usual: usual),
            once: once,
            match: match.isEmpty ? Declaration.usualMatch(of: completed, calls) : match,
            identity: identity.isEmpty ? ["id"] : identity,
            conflict: word(fields["conflict"]) ?? .theirs)
        check(declaration, fields)
        return .init(declaration: declaration, server: server.own)
    }

    private mutating func server(
        _ place: Place, rules: ServerDescription.Rules?
    ) -> (name: String?, own: ServerDescription?) {
        guard let rules else { return (nil, nil) }
        switch place.node?.value {
        case .text(let name): return (name, nil)
        case .object: return (nil, server(place, rules: rules))
        case nil:
            demand(
                place, example: "a name of the section servers, or {\"baseURL\": \"https://…\"}")
        default:
            refuse(place, allowed: "a name of the section servers, or an object with a baseURL")
        }
        return (nil, nil)
    }

    /// `$.data`, or `$.data.*` where the rows are the members of an object.
    private mutating func rows(_ place: Place) -> (path: JSONPath, areMembers: Bool) {
        guard case .text(let text)? = place.node?.value, text.hasSuffix(".*") else {
            return (path(place) ?? .root, false)
        }
        return (path(String(text.dropLast(2)), of: place) ?? .root, true)
    }

    /// `$.id`, or `integer $.id` where the table has the server's own number, or `@key`.
    private mutating func id(_ place: Place, isReadOnly: Bool) -> (path: JSONPath, ids: RowIDs) {
        guard place.isSet else {
            demand(place, example: "where a row's id stands: \"id\": \"$.id\"")
            return (.root, .local)
        }
        guard let text = text(place, allowed: "a path such as $.id, \"integer $.id\" or \"@key\"")
        else {
            return (.root, .local)
        }
        guard text != Declaration.memberName else { return (.memberName, .local) }
        let isServer = text.hasPrefix("integer ")
        if isServer, !isReadOnly {
            note(
                place.offset,
                "id is \"integer …\", and a new row has no number of the server yet",
                hint: "Write the path alone, or switch off create, update and delete.")
        }
        let path = path(isServer ? String(text.dropFirst(8)) : text, of: place)
        return (path ?? .root, isServer ? .server : .local)
    }

    /// `"/notes"`, or `{"method": "POST", "path": "/search", "body": {…}}`.
    private mutating func list(_ place: Place) -> (path: String, body: ListBody?) {
        guard case .object? = place.node?.value else { return (listPath(place), nil) }
        guard let fields = fields(of: place, keys: Grammar.list) else {
            return ("/", nil)
        }
        if fields["method"].isSet {
            _ = text(fields["method"], allowed: "\"POST\", or \"list\" the path alone") {
                $0 == WriteCall.Method.post.rawValue
            }
        }
        let body = fields["body"]
        if let node = body.node, node.members == nil { refuse(body, allowed: "an object") }
        return (listPath(fields["path"]), ListBody(body.node ?? .object([])))
    }

    private mutating func listPath(_ place: Place) -> String {
        guard place.isSet else {
            demand(
                place,
                example: "the path of the list below the base URL: \"\(place.name)\": \"/notes\"")
            return "/"
        }
        let allowed =
            "a path below the base URL that begins with / and has no fragment, such as /notes?order=id"
        return text(place, allowed: allowed) { text in
            text.hasPrefix("/") && !text.hasPrefix("//") && text.utf8.count <= 2000
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        } ?? "/"
    }

    private mutating func interval(_ place: Place) -> Duration {
        let standard = Duration.seconds(300)
        let range: ClosedRange<Duration> = .seconds(1) ... .seconds(604_800)
        let text = text(place, allowed: "a duration from 1s to 7d") { text in
            (try? HumanTime.duration(text)).map(range.contains) ?? false
        }
        return text.flatMap { try? HumanTime.duration($0) } ?? standard
    }

    private mutating func once(_ place: Place) -> Once {
        let allowed =
            "\"look\", {\"header\": \"Idempotency-Key\"} or {\"column\": \"id\", \"form\": \"uuid\"}"
        guard let node = place.node else { return .look }
        switch node.value {
        case .text("look"): return .look
        case .object(let members) where members.contains { $0.key == "header" }:
            guard let fields = fields(of: place, keys: Grammar.once[0]),
                let name = text(
                    fields["header"], allowed: "the name of a header field",
                    where: Self.isFieldName)
            else { return .look }
            return .header(name)
        case .object(let members) where members.contains { $0.key == "column" }:
            guard let fields = fields(of: place, keys: Grammar.once[1]),
                let column = text(fields["column"])
            else { return .look }
            return .column(column, mark(fields["form"]))
        default:
            refuse(place, allowed: allowed)
            return .look
        }
    }

    private mutating func mark(_ place: Place) -> Once.Mark {
        let allowed = "uuid, hex, or base36 with a length from 8 to 64, such as base36:15"
        let text = text(place, allowed: allowed) { Self.mark($0) != nil }
        return text.flatMap(Self.mark) ?? .uuid
    }

    private static func mark(_ text: String) -> Once.Mark? {
        switch text {
        case "uuid": return .uuid
        case "hex": return .hex
        default:
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "base36", let length = Int(parts[1]),
                String(length) == parts[1], (8...64).contains(length)
            else { return nil }
            return .base36(length)
        }
    }
}
