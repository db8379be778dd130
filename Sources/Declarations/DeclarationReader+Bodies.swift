internal import Text

extension DeclarationReader {
    /// What a body that names columns has to name.
    ///
    /// Law: a body has a place for every value that a program can give. A value without a place would count as
    /// sent, and be lost.
    mutating func checkBodies(_ kind: WriteCall.Kind, of declaration: Declaration, _ place: Place) {
        for call in declaration.calls(of: kind) { checkBody(of: call, kind, declaration, place) }
    }

    private mutating func checkBody(
        of call: WriteCall, _ kind: WriteCall.Kind, _ declaration: Declaration, _ place: Place
    ) {
        let names = declaration.columns.map(\.name)
        for name in call.body?.columns ?? [] {
            let referred = declaration.referredColumn(name)?.column
            guard let column = declaration.column(referred ?? name) else {
                note(
                    place.offset,
                    "\(kind.rawValue).body has {\(name.start(60))}, and there is no such column"
                        + NearestName.remark(on: name, among: names),
                    hint: "Write the name of a column between the braces.")
                continue
            }
            guard !column.isSent(by: kind) else { continue }
            note(
                place.offset,
                "\(kind.rawValue).body has {\(name)}, which that call does not send",
                hint: kind == .delete
                    ? "Use \"@id\"." : "Give the column \"write\": \"both\", or remove the place.")
        }
        let placeholders = call.body?.placeholders ?? []
        if placeholders.contains(.document), declaration.read == nil {
            note(
                place.offset,
                "\(kind.rawValue).body has @document, and read is off: a list may show less of a row than the"
                    + " server has, and such an update would remove the rest",
                hint: "Add \"read\": true, or send what changed alone: use \"@changed\".")
        }
        if placeholders.contains(.document), declaration.read?.columns.isEmpty == false {
            note(
                place.offset,
                "\(kind.rawValue).body has @document, and read.columns says that a read shows another object",
                hint: "Send what changed alone: use \"@changed\".")
        }
        let whole: Set<BodyTemplate.Placeholder> = [.row, .changed, .document]
        guard kind != .delete, whole.isDisjoint(with: placeholders) else { return }
        let places = declaration.places(in: call, kind)
        for column in declaration.columns
        where column.isGiven(to: kind) && !column.isPart && !places.contains(column.name) {
            note(
                place.offset,
                "\(kind.rawValue).body has no place for \(column.name), which a program can give",
                hint: "Put \"{\(column.name)}\" where it belongs, or remove its \"write\".")
        }
    }
}

extension Declaration {
    /// The columns that a call without a whole row has a place for, or has no need of.
    ///
    /// The path of an update names a row by what the server has; that of an action has the new value of its own columns.
    fileprivate func places(in call: WriteCall, _ kind: WriteCall.Kind) -> Set<String> {
        let texts = ([call.path] + call.headers.map(\.value)).flatMap(\.columns)
        var places = Set(call.body?.columns ?? [])
        if kind == .create { places.formUnion(texts) }
        if let action = call.action {
            places.formUnion(texts)
            places.formUnion(action.isToggle ? action.columns : action.values.map(\.column))
            places.formUnion(columns.map(\.name).filter { !action.columns.contains($0) })
        } else if kind == .update {
            // What an action takes, whatever it becomes.
            places.formUnion(
                actions.compactMap(\.action).filter(\.values.isEmpty).flatMap(\.columns))
        }
        return places
    }
}

extension Column {
    /// Whether a program gives its value to such a call.
    fileprivate func isGiven(to kind: WriteCall.Kind) -> Bool {
        switch kind {
        case .create: writing.isForCreates
        case .update: writing.isForUpdates
        case .delete: false
        }
    }

    /// Whether a body of such a call can have its value: an update can repeat what the server has.
    fileprivate func isSent(by kind: WriteCall.Kind) -> Bool {
        kind == .update ? field != nil : isGiven(to: kind)
    }
}
