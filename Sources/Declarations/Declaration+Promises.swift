extension Declaration {
    /// What syncd promises for the list, in sentences for a person; the weaker the server, the more they say.
    public var promises: [String] {
        [rowPromise] + (each.map { $0.promises(of: read) } ?? [leavingPromise])
            + conditionPromises + bodyPromises + [holdPromise] + sincePromises + readPromises
            + writePromises
            + referredPromises
    }

    private var readPromises: [String] {
        let names = columns.filter(\.isFromReads).map(\.name)
        guard !names.isEmpty else { return [] }
        return [
            "The list shows nothing of \(Self.joined(names)): a row is read alone when a list has brought or"
                + " changed it, and keeps what was read until then."
        ]
    }

    private var sincePromises: [String] {
        since?.promises(of: list, readsRows: isReadOnly || read != nil) ?? []
    }

    private var rowPromise: String {
        let ids =
            switch ids {
            case .server: "A row has the number that the server gave it."
            case .local: "A row has a number of the cache, which is never used again."
            }
        let required = columns.filter(\.isRequired).map(\.name)
        guard !required.isEmpty else { return ids + memberPromise }
        return ids + memberPromise
            + " A row of the server without \(Self.joined(required)) is skipped, and told of."
    }

    private var memberPromise: String {
        rowsAreMembers
            ? " Each member of the object at \(rows) is one"
                + (id == .memberName ? ", and is known by its name." : ".") : ""
    }

    private var leavingPromise: String {
        guard paging.canMissRows else {
            return "A row leaves the table when a list that was read whole does not have it."
        }
        return
            "A row leaves the table when a list does not have it of which every row is certain, or when the"
            + " third list in a row that was read to its end does not have it: the server can leave a row"
            + " out between two pages."
    }

    private var conditionPromises: [String] {
        guard let condition else { return [] }
        return [
            "A row is in the table while \(condition.words). One that the list shows otherwise leaves."
                + (isReadOnly
                    ? ""
                    : " It has its number again when it comes back, and a change of it that waits is sent all the same.")
        ]
    }

    private var bodyPromises: [String] {
        listBody == nil
            ? []
            : [
                "The list is read by POST. Such an answer has no validators, so each pull reads all of it."
            ]
    }

    private var holdPromise: String {
        "A list that lacks more than half of ten or more rows, or all of two or more, is held until a second"
            + " one agrees, or a person."
    }

    private var writePromises: [String] {
        guard !isReadOnly else { return ["Programs can only read it: every write is refused."] }
        return WriteCall.Kind.allCases.map { kind in
            guard let call = calls(of: kind).last else { return refusal(kind) }
            switch kind {
            case .create: return createPromise
            case .update: return updatePromise(call)
            case .delete: return deletePromise
            }
        } + actionPromises
    }

    private var actionPromises: [String] {
        actions.compactMap { call in
            guard let action = call.action else { return nil }
            let names = Self.joined(action.columns)
            let becomes = action.values.map { "\($0.column) becomes \($0.value.text)" }
            let when = becomes.isEmpty ? "A change of \(names)" : "If \(Self.joined(becomes)), that"
            let path = "\(call.method.rawValue) \(call.path)"
            let toggle =
                action.isToggle
                ? " It turns the value, so it is sent only right after a read of the row that shows the old one."
                : ""
            return
                "\(when) goes by \(path), and what else has changed goes by a call of its own.\(toggle)"
        }
    }

    private func refusal(_ kind: WriteCall.Kind) -> String {
        switch kind {
        case .create: "No row can be added: the insert is refused."
        case .update: "No row can be changed: the update is refused."
        case .delete: "No row can be deleted: the delete is refused."
        }
    }

    private var referredPromises: [String] {
        references.flatMap { referredNames(by: $0.name) }.map { name in
            "A change whose call names \(name) waits until a list or an answer has shown \(name.name) of the row that"
                + " \(name.column) refers to. It is sent as the server has it."
        }
    }

    private var createPromise: String {
        let how =
            switch once {
            case .look:
                "it is looked for by \(Self.joined(match)) in the following lists. If another client makes"
                    + " an equal row meanwhile, the two cannot be told apart"
            case .header(let name):
                "it is sent again with the same \(name) for 12 hours, which the server has to honour"
            case .column(let name, _):
                "it is looked for by its own mark in \(name)"
            }
        return "A new row is sent once. If the answer is lost, then \(how)."
    }

    private func updatePromise(_ call: WriteCall) -> String {
        guard updateRepeatsValues else { return sendingPromise(call) }
        let source =
            read == nil ? "the last list has shown it" : "a read of the row alone has just shown it"
        return sendingPromise(call) + " It repeats what nobody has edited, as \(source)."
    }

    private func sendingPromise(_ call: WriteCall) -> String {
        guard call.version == nil else {
            return
                "An edit is sent with the row's version, so the server refuses it if another client was quicker."
        }
        return
            "An edit is sent after \(source) has shown the row. A change that another client makes in between can"
            + " be overwritten, if it is of the same field."
    }

    /// What an edit and a delete wait for.
    private var source: String { read == nil ? "a list" : "a list, or a read of the row alone," }

    private var deletePromise: String {
        "A delete is sent only for a row that \(source) has just shown"
            + (identity == ["id"] ? "." : " with the same \(Self.joined(identity)).")
    }

    private static func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "its columns" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
