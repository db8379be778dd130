package import Text

extension Declaration {
    /// The content of a file that declares the same list, without the server's own object.
    ///
    /// What has its standard value is left out. So two declarations with the same meaning have the same
    /// text, and a cache can tell whether its tables were made from this one.
    ///
    /// - Parameter server: The object of a server that the file describes itself; nil: the name of one.
    /// - Returns: The object of the file.
    package func json(server: JSONNode? = nil) -> JSONNode {
        .object([
            ("enabled", isEnabled ? nil : .bool(false)),
            ("server", server ?? self.server.map { .text($0) }),
            ("list", listJSON),
            ("each", each?.json),
            ("rows", hasPlainRows ? nil : .text(rows.description + (rowsAreMembers ? ".*" : ""))),
            ("while", condition?.json),
            ("id", .text((ids == .server ? "integer " : "") + idText)),
            ("pages", paging.json),
            ("since", since?.json(interval: interval)),
            ("interval", .text(HumanTime.written(interval))),
            ("columns", .object(columns.map { ($0.name, $0.json) })),
            ("search", search.isEmpty ? nil : .texts(search)),
            ("history", history.map { .text($0) }),
            ("label", label.map { .text($0) }),
            ("create", calls[.create]?.json(.create, usual)),
            ("update", updatesJSON),
            ("delete", calls[.delete]?.json(.delete, usual)),
            ("read", read?.json(usual)),
            ("once", once.json),
            ("match", match == Self.usualMatch(of: columns, calls) ? nil : .texts(match)),
            ("identity", identity == ["id"] ? nil : .texts(identity)),
            ("conflict", conflict == .theirs ? nil : .text(conflict.rawValue)),
        ])
    }
}

extension Declaration {
    private var listJSON: JSONNode {
        guard let listBody else { return .text(list) }
        return .object([
            ("method", .text("POST")), ("path", .text(list)), ("body", listBody.json),
        ])
    }

    private var idText: String { id == .memberName ? Self.memberName : id.description }

    private var usual: UsualCalls { UsualCalls(list: list, isPosted: listBody != nil) }

    private var updatesJSON: JSONNode? {
        let updates = updates.map { $0.json(.update, usual) }
        return actions.isEmpty ? updates.first : JSONNode(.list(updates))
    }
}

extension Column {
    fileprivate var json: JSONNode {
        switch source {
        case .bookkeeping(let kind): return .text("@\(kind.rawValue)")
        case .field where isPart: return .text("@\(name)")
        case .field(let type, let path):
            let whole = JSONNode.object([
                (type.plain.rawValue, .text(path.description)),
                (
                    "of",
                    reference.map { .text($0.description) } ?? (isNoReference ? .bool(false) : nil)
                ),
                ("text", type == type.plain ? nil : .bool(true)),
                ("write", writing == .none ? nil : .text(writing.rawValue)),
                ("required", isRequired ? .bool(true) : nil),
                ("index", isIndexed ? .bool(true) : nil),
                ("bytes", byteLimit == Limits.textBytes ? nil : .number(byteLimit)),
                ("empty", mayBeEmpty ? nil : .bool(false)),
                ("as", writtenAs.map { .text($0) }),
                ("in", isFromReads ? .text("read") : nil),
            ])
            guard case .object(let members) = whole.value, members.count == 1 else { return whole }
            return .text("\(type.plain.rawValue) \(path)")
        }
    }
}

extension Paging {
    fileprivate var json: JSONNode? {
        switch self {
        case .none: nil
        case .whole: .object([("none", .bool(true)), ("whole", .bool(true))])
        case .link: .text("link")
        case .next(let next):
            .object([("next", .text(next.place.text)), ("rows", next.rows?.json)])
        case .cursor(let cursor):
            .object([
                ("cursor", .text(cursor.path.description)),
                ("as", .text(cursor.parameter.description)),
                ("more", cursor.more.map { .text($0.description) }), ("rows", cursor.rows?.json),
            ])
        case .pages(let pages):
            .object([
                ("page", .text(pages.parameter.description)),
                ("from", pages.first == 1 ? nil : .number(pages.first)),
                ("pages", pages.pages?.json), ("rows", pages.rows?.json),
                ("most", pages.most == Limits.pages ? nil : .number(pages.most)),
            ])
        case .offset(let rows):
            .object([
                ("offset", .text(rows.parameter.description)),
                (
                    "limit",
                    rows.limit.map {
                        JSONNode(.list([.text($0.parameter.description), .number($0.rows)]))
                    }
                ),
                ("rows", rows.rows?.json),
            ])
        }
    }
}

extension NextPage.Place {
    fileprivate var text: String {
        switch self {
        case .link: "link"
        case .path(let path): path.description
        case .header(let name): "header \(name)"
        }
    }
}

extension Total {
    fileprivate var json: JSONNode {
        switch self {
        case .path(let path): .text(path.description)
        case .header(let name): .text("header \(name)")
        }
    }
}

extension Once {
    fileprivate var json: JSONNode? {
        switch self {
        case .look: nil
        case .header(let name): .object([("header", .text(name))])
        case .column(let name, let mark):
            .object([("column", .text(name)), ("form", .text(mark.description))])
        }
    }
}

extension ReadCall {
    fileprivate func json(_ calls: UsualCalls) -> JSONNode {
        let usual = calls.read
        guard self != usual else { return .bool(true) }
        return .object([
            ("path", path == usual.path ? nil : .text(path.description)),
            ("body", body?.json),
            ("row", row == usual.row ? nil : .text(row.description)),
            (
                "columns",
                columns.isEmpty
                    ? nil
                    : .object(
                        columns.sorted { $0.key < $1.key }.map {
                            ($0.key, .text($0.value.description))
                        })
            ),
        ])
    }
}

extension WriteCall {
    fileprivate func json(_ kind: Kind, _ calls: UsualCalls) -> JSONNode {
        let usual = calls.write(kind, action: action)
        guard self != usual else { return .bool(true) }
        return .object([
            ("for", action.map { .texts($0.columns) }),
            ("when", action?.json), ("toggle", action?.isToggle == true ? .bool(true) : nil),
            ("method", method == usual.method ? nil : .text(method.rawValue)),
            ("path", path == usual.path ? nil : .text(path.description)),
            ("body", body == usual.body ? nil : body?.json ?? JSONNode(.null)),
            ("type", contentType == usual.contentType ? nil : .text(contentType)),
            ("row", row == usual.row ? nil : .text(row.description)),
            ("id", answerID.map { .text($0.description) }),
            (
                "headers",
                headers.isEmpty
                    ? nil : .object(headers.map { ($0.name, .text($0.value.description)) })
            ),
            ("version", version.map { .text($0.description) }),
            ("stale", stale.isEmpty ? nil : JSONNode(.list(stale.map { .number($0) }))),
        ])
    }
}

extension BodyTemplate {
    fileprivate var json: JSONNode {
        switch self {
        case .null: JSONNode(.null)
        case .bool(let value): .bool(value)
        case .number(let text): JSONNode(.number(text))
        case .text(let text): .text(text)
        case .list(let items): JSONNode(.list(items.map(\.json)))
        case .object(let members): .object(members.map { ($0.name, $0.value.json) })
        case .placeholder(let placeholder): .text(placeholder.rawValue)
        case .column(let name): .text("{\(name)}")
        }
    }
}
