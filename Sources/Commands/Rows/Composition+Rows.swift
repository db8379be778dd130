internal import CommandLine
internal import Configuration
internal import Declarations
internal import Rendering
internal import Rules
internal import Store
internal import Tables

/// What `add`, `set` and `rm` have in common, and `todo add` and `todo rm` with them.
extension Composition {
    /// The list that the first operand names; its table is made where the configuration declares it and no
    /// sync has made it yet.
    func tableToWrite(
        _ arguments: Arguments, at place: CachePlace, in store: CacheStore
    ) async throws(CommandError) -> ListTable {
        let word = arguments.operands[0]
        let lists = place.declarations.map { ListTable($0) }
        if let list = lists.first(where: { $0.declaration.name.text == word }) {
            for other in list.declaration.referredTo(among: place.declarations) {
                _ = try await CommandError.awaiting(
                    CommandError.store, try await store.table(of: ListTable(other)))
            }
            return try await CommandError.awaiting(
                CommandError.store, try await store.table(of: list))
        }
        return try await table(word, arguments, in: store, beside: lists)
    }
}

extension CachePlace {
    /// Every list that the configuration declares.
    fileprivate var declarations: [Declaration] { settings?.declarations ?? [] }

    fileprivate func declaration(of list: ListName) -> Declaration? {
        declarations.first { $0.name == list }
    }

    /// Why `what`, new rows or changes of the list, stay here; nil where the next sync sends them.
    func remark(onSendingTo list: ListName, what: String = "rows") -> String? {
        if list == .todos {
            guard let settings else {
                return "no server is configured yet: todos stay here until `syncd setup` names one"
            }
            return settings.account == nil
                ? "the configuration leaves the todos out: they stay here until it has a server for them"
                : nil
        }
        guard let declaration = declaration(of: list) else {
            return "the configuration does not declare \(list): its \(what) stay here until it does"
        }
        return declaration.isEnabled
            ? nil : "the declaration of \(list) is not enabled: its \(what) stay here until it is"
    }
}

extension ListTable {
    /// The error of a change that the server has no call for.
    func refused(_ sentence: String, at place: CachePlace) -> CommandError {
        let name = declaration.name
        let isOther = place.declaration(of: name).map { $0.calls != declaration.calls } ?? false
        return .data(
            sentence,
            hint: isOther
                ? "Run `syncd sync \(name)`: its declaration has changed, and the table follows."
                : "`syncd lists show \(name)` says what can be done.")
    }
}

extension Console {
    /// The ids of new rows, one a line or as one document.
    func write(ids: [Int64], asJSON: Bool) throws(CommandError) {
        guard !asJSON else { return try write(.array(ids.map { .integer($0) })) }
        for id in ids { try write(line: "\(id)") }
    }

    /// Says how deletes or changes are taken back.
    func tellUndo(of operations: [OperationSequence]) {
        guard !operations.isEmpty else { return }
        // A line stays one.
        let numbers = operations.prefix(10).map { "\($0)" }.joined(separator: " ")
        let rest = operations.count > 10 ? " …" : ""
        note("to undo it before it is sent: syncd outbox drop \(numbers)\(rest)")
    }
}
