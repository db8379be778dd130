internal import Text

extension DeclarationReader {
    private static let columnForm =
        "a text such as \"text $.title\" or \"@state\", or an object such as {\"text\": \"$.title\"}"

    /// The columns that the declaration names, in its order.
    mutating func columns(_ place: Place, each: Each?, creates: Bool) -> [Column] {
        guard let node = place.node else {
            demand(
                place,
                example:
                    "an object of columns: {\"id\": \"integer $.id\", \"title\": \"text $.title\"}")
            return []
        }
        guard case .object(let members) = node.value, !members.isEmpty else {
            refuse(place, allowed: "an object with at least one column")
            return []
        }
        var columns: [Column] = []
        var names: Set<String> = []
        for member in members.prefix(Limits.columns) {
            let inner = Place(
                name: "\(place.name).\(member.key.start(80))", offset: member.node.offset,
                node: member.node)
            guard isColumnName(member.key, at: member.offset) else { continue }
            guard names.insert(Self.folded(member.key)).inserted else {
                note(
                    member.offset,
                    "\(inner.name) differs from another column in the case of letters only",
                    hint: "Give it another name.")
                continue
            }
            if let each, case .text(each.member) = member.node.value {
                columns.append(.part(member.key, of: each, isGiven: creates))
            } else if let column = column(member.key, inner) {
                columns.append(column)
            }
        }
        checkCounts(of: columns, members: members.count, at: node.offset, place.name)
        return columns
    }

    /// SQLite compares names of columns in this way.
    static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private mutating func isColumnName(_ name: String, at offset: Int) -> Bool {
        let shown = "\"\(name.start(60))\""
        guard (1...Limits.columnNameBytes).contains(name.utf8.count) else {
            note(
                offset, "a column cannot be called \(shown): its name has \(name.utf8.count) bytes",
                hint: "Use 1 to \(Limits.columnNameBytes) bytes.")
            return false
        }
        guard ForeignText(name).escaped == name else {
            note(
                offset, "a column cannot be called \(shown): a character of it cannot be seen",
                hint: "Use characters that can be seen.")
            return false
        }
        guard !["rowid", "oid", "_rowid_"].contains(Self.folded(name)) else {
            note(
                offset, "a column cannot be called \(shown): SQLite has another one of this name",
                hint: "Choose another name.")
            return false
        }
        return true
    }

    private mutating func checkCounts(
        of columns: [Column], members: Int, at offset: Int, _ name: String
    ) {
        let counts = [
            (members, Limits.columns, "columns"),
            (columns.count { $0.writing != .none }, Limits.writableColumns, "writable columns"),
            (columns.count { $0.isIndexed }, Limits.indexes, "columns with an index"),
        ]
        for (count, limit, what) in counts where count > limit {
            note(
                offset, "\(name) has \(count) \(what), and at most \(limit) are possible",
                hint: "Remove some: the document holds every field.")
        }
    }

    private mutating func column(_ name: String, _ place: Place) -> Column? {
        switch place.node?.value {
        case .text(let text):
            guard let source = source(text, of: place) else { return nil }
            return Column(name: name, source: source)
        case .object: return writableColumn(name, place)
        default:
            refuse(place, allowed: Self.columnForm)
            return nil
        }
    }

    /// `TYPE PATH` or `@WORD`.
    private mutating func source(_ text: String, of place: Place) -> Column.Source? {
        if text.hasPrefix("@") {
            let words = Bookkeeping.allCases.map { "@\($0.rawValue)" }
            guard let kind = Bookkeeping(rawValue: String(text.dropFirst())) else {
                refuse(place, allowed: Self.choice(words))
                return nil
            }
            return .bookkeeping(kind)
        }
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0) }
        guard parts.count == 2,
            let type = ColumnType.plainWords.first(where: { $0.rawValue == parts[0] })
        else {
            refuse(
                place,
                allowed:
                    "a type (\(Self.choice(ColumnType.plainWords.map(\.rawValue)))) and a path")
            return nil
        }
        return path(parts[1], of: place).map { .field(type, $0) }
    }

    private mutating func writableColumn(_ name: String, _ place: Place) -> Column? {
        guard let fields = fields(of: place, keys: Grammar.column) else { return nil }
        let isInText = isFlag(fields["text"])
        let types = ColumnType.words.filter {
            fields[$0.rawValue].isSet && !($0 == .text && isInText)
        }
        guard let word = types.first, types.count == 1 else {
            refuse(
                place,
                allowed: "an object with one of the keys "
                    + Self.choice(ColumnType.words.map(\.rawValue)))
            return nil
        }
        let type = type(
            word, isInText: isInText && bool(fields["text"], standard: false), fields["text"])
        let writing = self.word(fields["write"], of: Column.Writing.self) ?? .none
        let isText = type == .text || type == .json
        let isRequired = bool(fields["required"], standard: false)
        for key in ["bytes", "empty"] where fields[key].isSet && !isText {
            note(
                fields[key].offset, "\(fields[key].name) is for columns of text and JSON",
                hint: "Remove the key.")
        }
        let path = path(fields[word.rawValue])
        let reference = reference(of: type, fields["of"])
        let writtenAs = text(fields["as"], allowed: "a name of 1 to 200 bytes") {
            (1...200).contains($0.utf8.count)
        }
        if writing != .none, writtenAs == nil, let path {
            checkWritable(path, at: fields[word.rawValue].offset, place.name)
        }
        return path.map {
            Column(
                name: name, source: .field(type, $0), writing: writing, isRequired: isRequired,
                isIndexed: bool(fields["index"], standard: false),
                byteLimit: integer(fields["bytes"], in: 1...Limits.textBytes) ?? Limits.textBytes,
                mayBeEmpty: bool(fields["empty"], standard: true), writtenAs: writtenAs,
                isFromReads: text(fields["in"], allowed: "\"read\"") { $0 == "read" } != nil,
                reference: reference, isNoReference: type.plain != .row && fields["of"].isSet)
        }
    }

    /// The list of a column of rows. Any other column may say that it refers to none.
    private mutating func reference(of type: ColumnType, _ place: Place) -> RowReference? {
        guard type.plain == .row else {
            if place.isSet, bool(place, standard: false) {
                note(
                    place.offset, "\(place.name) is true, and the column is none of rows",
                    hint: "Write {\"row\": …, \"of\": \"LIST\"}, or \"of\": false.")
            }
            return nil
        }
        guard place.isSet else {
            demand(place, example: "the list whose row it is: \"of\": \"projects\"")
            return nil
        }
        let allowed = "a list such as \"projects\", or a column of one such as \"issues.number\""
        return text(place, allowed: allowed) { RowReference($0) != nil }.flatMap {
            RowReference($0)
        }
    }

    /// Whether the key is set to `true` or `false`.
    private func isFlag(_ place: Place) -> Bool {
        if case .bool = place.node?.value { true } else { false }
    }

    /// The type of the values, which the server may have in texts.
    private mutating func type(_ word: ColumnType, isInText: Bool, _ place: Place) -> ColumnType {
        guard isInText else { return word }
        guard let type = word.inText else {
            note(
                place.offset, "\(place.name) is for columns of integers, reals and rows",
                hint: "Remove the key.")
            return word
        }
        return type
    }

    /// A value goes to the path that it is read from, which has to lead through objects alone.
    private mutating func checkWritable(_ path: JSONPath, at offset: Int, _ name: String) {
        let problem: String
        if path.steps.isEmpty {
            problem = "is the whole row"
        } else if path.names == nil {
            problem = "has an index"
        } else {
            return
        }
        note(
            offset, "\(name) can be written, and its path \(problem)",
            hint: "Name the field that a request has it in: \"as\": \"…\", or remove \"write\".")
    }

    /// The columns of `declared` with the bookkeeping that it does not name behind them.
    mutating func completed(
        _ declared: [Column], isReadOnly: Bool, ids: RowIDs, at place: Place
    ) -> [Column] {
        var columns = declared
        let always = Bookkeeping.shown(isReadOnly: isReadOnly, ids: ids)
        let allowed = always + Bookkeeping.offered(isReadOnly: isReadOnly)
        for kind in Bookkeeping.allCases {
            let shown = declared.filter { $0.bookkeeping == kind }
            if shown.count > 1 {
                note(
                    place.offset,
                    "\(place.name) shows @\(kind.rawValue) twice: as "
                        + shown.map(\.name).joined(separator: " and "), hint: "Keep one of them.")
            }
            if !allowed.contains(kind), let column = shown.first {
                note(
                    place.offset,
                    "\(place.name).\(column.name) shows @\(kind.rawValue), which a list "
                        + (isReadOnly ? "that is only read" : "that programs write to")
                        + " does not have",
                    hint: "Use \(Self.choice(allowed.map { "@\($0.rawValue)" })), or remove it.")
            }
            guard shown.isEmpty, always.contains(kind) else { continue }
            let name = kind.standardName
            guard !declared.contains(where: { Self.folded($0.name) == name }) else {
                note(
                    place.offset,
                    "\(place.name) has a column \(name), and syncd's own @\(kind.rawValue) gets that name",
                    hint: "Rename the column, or name syncd's own: \"…\": \"@\(kind.rawValue)\".")
                continue
            }
            columns.append(Column(name: name, source: .bookkeeping(kind)))
        }
        return columns
    }
}
