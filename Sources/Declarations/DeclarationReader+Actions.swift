internal import Text

extension DeclarationReader {
    private static let mostUpdates = 16

    /// The calls that change a row which is there, from the key `update`: the one for what is left, and those before it.
    mutating func updates(
        _ place: Place, usual: UsualCalls
    ) -> (rest: WriteCall?, actions: [WriteCall]) {
        guard case .list(let items)? = place.node?.value else {
            return (call(.update, place, usual: usual), [])
        }
        guard (1...Self.mostUpdates).contains(items.count) else {
            refuse(
                place,
                allowed: "true, false, an object or a list of at most \(Self.mostUpdates) calls")
            return (nil, [])
        }
        var actions: [WriteCall] = []
        var rest: WriteCall?
        for (index, item) in items.enumerated() {
            let inner = Place(name: "\(place.name)[\(index)]", offset: item.offset, node: item)
            guard let call = call(.update, inner, usual: usual) else { continue }
            if call.action != nil {
                actions.append(call)
            } else if index < items.count - 1 {
                note(
                    inner.offset, "\(inner.name) has no \"for\", and other calls stand behind it",
                    hint: "Add \"for\" with the columns that it changes, or put it at the end.")
            } else {
                rest = call
            }
        }
        return (rest, actions)
    }

    /// `"for": ["done"]` and `"when": {"done": true}`; nil for a call that takes what is left.
    mutating func action(_ fields: Fields, of kind: WriteCall.Kind) -> WriteCall.Action? {
        let keys = ["for", "when", "toggle"].map { fields[$0] }
        guard let first = keys.first(where: \.isSet) else { return nil }
        guard kind == .update else {
            note(
                first.offset, "\(first.name) is set, and only an update is for some columns alone",
                hint: "Leave it out.")
            return nil
        }
        let values = values(fields["when"])
        var columns = texts(fields["for"], allowed: "a list of columns")
        if !fields["for"].isSet { columns = values.map(\.column) }
        for value in values where !columns.contains(value.column) {
            note(
                fields["when"].offset,
                "\(fields["when"].name) has \"\(value.column.start(60))\", which is not among \"for\"",
                hint: "Add it to \"for\": the call changes it.")
        }
        guard !columns.isEmpty else {
            note(
                first.offset, "\(fields["for"].name) names no column",
                hint: "Write the columns that the call changes, such as \"for\": [\"done\"].")
            return nil
        }
        return .init(
            columns: columns, values: values,
            isToggle: bool(fields["toggle"], standard: false))
    }

    private mutating func values(_ place: Place) -> [WriteCall.Action.Value] {
        guard let node = place.node else { return [] }
        let allowed = "an object of columns and what they become, such as {\"done\": true}"
        guard case .object(let members) = node.value, !members.isEmpty else {
            refuse(place, allowed: allowed)
            return []
        }
        return members.compactMap { member in
            guard let value = PlainValue(member.node) else {
                refuse(
                    Place(
                        name: "\(place.name).\(member.key.start(80))", offset: member.offset,
                        node: member.node),
                    allowed: "a text, a whole number, true, false or null")
                return nil
            }
            return .init(column: member.key, value: value)
        }
    }

    /// What an action says of columns.
    mutating func checkActions(_ declaration: Declaration, _ place: Place) {
        for action in declaration.actions.compactMap(\.action) {
            for name in action.columns {
                guard let column = declaration.column(name) else {
                    note(
                        place.offset,
                        "update has \"for\": \"\(name.start(60))\", and there is no such column"
                            + NearestName.remark(on: name, among: declaration.columns.map(\.name)),
                        hint: "Name a column of the list.")
                    continue
                }
                guard !column.writing.isForUpdates else { continue }
                note(
                    place.offset, "update has \"for\": \"\(name)\", which no program can change",
                    hint: "Give the column \"write\": \"update\" or \"both\".")
            }
            for value in action.values {
                guard let column = declaration.column(value.column), !column.mayBe(value.value)
                else { continue }
                note(
                    place.offset,
                    "update has \"when\": \"\(value.column)\" \(value.value.text), which the column cannot become",
                    hint: "Write a value of its type.")
            }
            let isBoolean =
                action.columns.count == 1
                && action.columns.allSatisfy {
                    declaration.column($0)?.field?.type == .boolean
                }
            if action.isToggle, !isBoolean {
                note(
                    place.offset, "update has \"toggle\", and turns no single boolean column",
                    hint: "Write \"for\" with that column alone, or remove \"toggle\".")
            }
        }
        if declaration.turnsValues, declaration.read == nil {
            note(
                place.offset,
                "update has \"toggle\", and read is off: what the list showed may have been turned since",
                hint: "Add \"read\": true, or the path of a row under \"read\".")
        }
        guard declaration.calls[.update] == nil, !declaration.actions.isEmpty else { return }
        for column in declaration.columns
        where column.writing.isForUpdates && declaration.actions(changing: column.name).isEmpty {
            note(
                place.offset, "no call of update is for \(column.name), which a program can change",
                hint: "Add a last call without \"for\", or remove the column's \"write\".")
        }
    }
}

extension Declaration {
    func actions(changing column: String) -> [WriteCall.Action] {
        actions.compactMap(\.action).filter { $0.columns.contains(column) }
    }

    /// The values that a program may give the column of a row which is there: those that a call gives; nil: any.
    package func valuesOfActions(for column: String) -> [PlainValue]? {
        let actions = actions(changing: column)
        guard calls[.update] == nil, !actions.isEmpty else { return nil }
        let values = actions.map { action in
            action.values.first { $0.column == column }?.value
        }
        return values.contains(nil) ? nil : values.compactMap { $0 }
    }
}

extension Column {
    fileprivate func mayBe(_ value: PlainValue) -> Bool {
        switch (field?.type.plain, value) {
        case (_, .null): !isRequired
        case (.text, .text), (.integer, .number), (.real, .number), (.boolean, .bool): true
        default: false
        }
    }
}

extension WriteCall.Action {
    /// As a declaration has it under `when`.
    var json: JSONNode? {
        values.isEmpty ? nil : .object(values.map { ($0.column, $0.value.json) })
    }
}
