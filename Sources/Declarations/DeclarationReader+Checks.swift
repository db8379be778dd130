internal import Text

extension DeclarationReader {
    /// What no key says alone.
    mutating func check(_ declaration: Declaration, _ fields: Fields) {
        checkListBody(declaration, fields)
        checkMembers(declaration, fields)
        checkEach(declaration, fields)
        checkCondition(declaration, fields["while"])
        checkSearch(declaration, fields["search"])
        checkHistory(declaration, fields["history"])
        checkLabel(declaration, fields["label"])
        checkMatch(declaration, fields["match"])
        checkIdentity(declaration, fields["identity"])
        checkOnce(declaration, fields["once"])
        checkCalls(declaration, fields)
        checkWritten(declaration, fields["columns"])
    }

    private mutating func checkListBody(_ declaration: Declaration, _ fields: Fields) {
        if declaration.listBody == nil,
            declaration.paging.parameters.contains(where: { $0.path != nil })
        {
            note(
                fields["pages"].offset,
                "pages has a member of the body, and the list is read without one",
                hint:
                    "Write \"list\": {\"path\": \"\(declaration.list)\", \"body\": {}}, or a query parameter."
            )
        }
        guard declaration.listBody != nil, declaration.since != nil else { return }
        note(
            fields["since"].offset,
            "since is set, and the list is read by POST, which has no query",
            hint: "Remove one of them.")
    }

    /// An increment would have to show that a row has gone out of the list.
    private mutating func checkCondition(_ declaration: Declaration, _ place: Place) {
        guard declaration.condition != nil, declaration.since != nil else { return }
        note(
            place.offset, "while is set, and so is since, which asks for changes alone",
            hint:
                "Name the mark of a row that is gone in since.deleted, such as {\"$.deleted\": true}."
        )
    }

    private mutating func checkSearch(_ declaration: Declaration, _ place: Place) {
        if declaration.search.count > Limits.searchColumns {
            note(
                place.offset,
                "search has \(declaration.search.count) columns, and at most"
                    + " \(Limits.searchColumns) are possible", hint: "Remove some.")
        }
        for name in declaration.search where Self.folded(name) == "rank" {
            note(
                place.offset,
                "search has \"\(name)\", and SQLite's full text has a column of that name",
                hint: "Give the column another name.")
        }
        for name in declaration.search
        where known(name, of: declaration, at: place)?.field.map({ $0.type != .text }) ?? false {
            note(
                place.offset, "search has \"\(name)\", which is no column of text",
                hint: "Remove it.")
        }
    }

    private mutating func checkHistory(_ declaration: Declaration, _ place: Place) {
        guard let name = declaration.history,
            let column = known(name, of: declaration, at: place), column.field == nil
        else { return }
        note(
            place.offset, "history is \"\(name)\", which is no field of the document",
            hint: "Name a column of the list.")
    }

    private mutating func checkLabel(_ declaration: Declaration, _ place: Place) {
        guard let name = declaration.label,
            let column = known(name, of: declaration, at: place), column.field?.type != .text
        else { return }
        note(
            place.offset, "label is \"\(name)\", which is no column of text",
            hint: "Name a column of text, or remove it.")
    }

    private mutating func checkMatch(_ declaration: Declaration, _ place: Place) {
        for name in declaration.match {
            guard let column = known(name, of: declaration, at: place) else { continue }
            guard !(column.isRequired && column.writing.isForCreates) else { continue }
            note(
                place.offset, "match has \"\(name)\", which a new row need not have",
                hint:
                    "Make it \"required\": true and \"write\": \"create\" or \"both\", or remove it."
            )
        }
    }

    private mutating func checkIdentity(_ declaration: Declaration, _ place: Place) {
        for name in declaration.identity where name != "id" {
            guard let column = known(name, of: declaration, at: place) else { continue }
            guard column.writing.isForUpdates || column.reference != nil else { continue }
            note(
                place.offset,
                "identity has \"\(name)\", which "
                    + (column.reference == nil
                        ? "programs can change" : "is a row of another list"),
                hint: column.reference == nil
                    ? "Remove it, or make the column \"write\": \"create\"." : "Remove it.")
        }
    }

    private mutating func checkOnce(_ declaration: Declaration, _ place: Place) {
        guard case .column(let name, _) = declaration.once,
            let column = known(name, of: declaration, at: place)
        else { return }
        guard column.field?.type != .text else { return }
        note(
            place.offset, "once has \"\(name)\", which is no column of text",
            hint: "Name a column of text that a new row may give.")
    }

    /// A list shows nothing of them, so they cannot tell one row from another.
    private mutating func checkFromReads(_ declaration: Declaration, _ place: Place) {
        for column in declaration.columns where column.isFromReads {
            let needed = column.isRequired || declaration.identity.contains(column.name)
            guard declaration.read == nil || declaration.isReadOnly || needed else { continue }
            note(
                place.offset,
                "columns.\(column.name) has \"in\": \"read\", and "
                    + (needed
                        ? "a row needs it, which the list does not show"
                        : declaration.isReadOnly ? "programs only read the list" : "read is off"),
                hint: needed
                    ? "Remove \"required\", or take the column out of identity."
                    : declaration.isReadOnly ? "Remove the key." : "Add \"read\": true.")
        }
    }

    private mutating func checkRead(_ declaration: Declaration, _ place: Place) {
        guard let read = declaration.read else { return }
        // Beside `since`, it is what an edit or a delete will need.
        if declaration.updates.isEmpty, declaration.calls[.delete] == nil,
            declaration.since == nil
        {
            note(
                place.offset, "read is on, and no row can be changed or deleted",
                hint: "Remove it, or add update or delete.")
        }
        for name in read.columns.keys.sorted() {
            guard let column = known(name, of: declaration, at: place), column.field == nil else {
                continue
            }
            note(
                place.offset, "read.columns has \"\(name)\", which is no field of the document",
                hint: "Remove it.")
        }
        for column in declaration.columns
        where column.isFromReads && !read.columns.isEmpty && read.columns[column.name] == nil {
            note(
                place.offset,
                "read.columns lacks \(column.name), which has \"in\": \"read\"",
                hint: "Say where the row that is read has it.")
        }
        let unknown = (read.path.columns + (read.body?.columns ?? [])).first {
            declaration.column($0) == nil && declaration.referredColumn($0) == nil
        }
        if let name = unknown ?? (read.path.parts.contains(.version) ? "version" : nil) {
            note(
                place.offset, "read has {\(name.start(60))}, and there is no such column",
                hint: "Write {id} or the name of a column.")
        }
    }

    private mutating func checkCalls(_ declaration: Declaration, _ fields: Fields) {
        checkActions(declaration, fields["update"])
        for kind in WriteCall.Kind.allCases where !declaration.calls(of: kind).isEmpty {
            let place = fields[kind.rawValue]
            let columns = declaration.columns
            let (isMissing, what) =
                switch kind {
                case .create: (!columns.contains { $0.writing.isForCreates }, "create")
                case .update: (!columns.contains { $0.writing.isForUpdates }, "update")
                case .delete: (false, "")
                }
            if isMissing {
                note(
                    place.offset, "\(kind.rawValue) is on, and no column can be given for it",
                    hint: "Add \"write\": \"\(what)\" or \"both\" to a column.")
            }
            checkBodies(kind, of: declaration, place)
            let templates = declaration.calls(of: kind).flatMap {
                [$0.path] + $0.headers.map(\.value)
            }
            for template in templates {
                for name in template.columns where declaration.column(name) == nil {
                    guard declaration.referredColumn(name) == nil else { continue }
                    note(
                        place.offset,
                        "\(kind.rawValue) has {\(name.start(60))}, and there is no such column",
                        hint: "Write {id}, {version} or the name of a column.")
                }
            }
            for name in declaration.referredColumns(inTextsOf: kind) where kind == .create {
                guard declaration.column(name.column)?.writing.isForCreates == false else {
                    continue
                }
                note(
                    place.offset, "create has {\(name)}, and a new row is not given \(name.column)",
                    hint: "Give that column \"write\": \"create\" or \"both\".")
            }
            if kind == .create,
                templates.contains(where: {
                    $0.parts.contains(.id) || $0.parts.contains(.version)
                })
            {
                note(
                    place.offset, "create has {id} or {version}, which a new row does not have",
                    hint: "Remove it.")
            }
        }
        checkRead(declaration, fields["read"])
        checkFromReads(declaration, fields["columns"])
        for column in declaration.columns {
            let needed: WriteCall.Kind? =
                switch column.writing {
                case .none: nil
                case .create: declaration.calls[.create] == nil ? .create : nil
                case .update: declaration.updates.isEmpty ? .update : nil
                case .both:
                    declaration.calls[.create] == nil && declaration.updates.isEmpty
                        ? .update : nil
                }
            guard let needed else { continue }
            note(
                fields["columns"].offset,
                "columns.\(column.name) has \"write\": \"\(column.writing.rawValue)\", and"
                    + " \(needed.rawValue) is off",
                hint: "Add \"\(needed.rawValue)\": true, or remove \"write\".")
        }
    }

    /// No request has a place for two values.
    private mutating func checkWritten(_ declaration: Declaration, _ place: Place) {
        let columns = declaration.columns
        for (index, column) in columns.enumerated() {
            guard let names = column.writtenNames else { continue }
            let other = columns[..<index].first { other in
                let isTogether =
                    column.writing.isForCreates && other.writing.isForCreates
                    || column.writing.isForUpdates && other.writing.isForUpdates
                guard isTogether, let others = other.writtenNames else { return false }
                return names.starts(with: others) || others.starts(with: names)
            }
            guard let other else { continue }
            note(
                place.offset,
                "columns.\(column.name) and columns.\(other.name) go to one place of a request",
                hint: "Give one of them another \"as\", or remove its \"write\".")
        }
    }

    /// The column of that name; notes that there is none.
    private mutating func known(
        _ name: String, of declaration: Declaration, at place: Place
    ) -> Column? {
        if let column = declaration.column(name) { return column }
        let names = declaration.columns.map(\.name)
        note(
            place.offset,
            "\(place.name) has \"\(name.start(60))\", and there is no such column"
                + NearestName.remark(on: name, among: names),
            hint: "Name a column of the list.")
        return nil
    }
}
