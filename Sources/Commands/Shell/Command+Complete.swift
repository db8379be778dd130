internal import CommandLine
internal import Configuration
internal import Declarations
internal import ReadyLists
internal import SQLite
internal import Tables

extension Command {
    /// What the code of `completion` asks for: values that the configuration and the cache alone know. No help lists it.
    static let complete = Command(
        "__complete", "Prints what can stand in the place of the last of some words.",
        operands: OperandRule(
            name: "the words of a command line", usage: "-- WORD…", count: 1...10_000),
        examples: ["syncd __complete -- add notes ''"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settingsIfAny(for: arguments)
        let candidates = Candidates(settings: settings, composition: composition)
        for word in candidates.all(for: arguments.operands) {
            try composition.console.write(line: word)
        }
        return .ok
    }
}

/// What can stand at the end of a command line.
private struct Candidates {
    let settings: Settings?
    let composition: Composition

    /// So many ids are offered, the newest first.
    private static let mostIDs = 100

    /// The last word is the one that is being written.
    func all(for words: [String]) -> [String] {
        guard words.count > 1 else { return [] }
        if words[words.count - 2] == "--like" { return ReadyList.all.map(\.name) }
        let isNaming = words.count == 2
        switch words[0] {
        case "add":
            return isNaming ? lists(with: .create) : columns(of: words) { $0.givable }
        case "set":
            if isNaming { return lists(with: .update) }
            return words.count == 3 ? ids(of: words[1]) : columns(of: words) { $0.changeable }
        case "rm": return isNaming ? lists(with: .delete) : ids(of: words[1])
        case "login": return isNaming ? servers : []
        default: return []
        }
    }

    private func lists(with call: WriteCall.Kind) -> [String] {
        (settings?.declarations ?? []).filter { $0.calls[call] != nil }.map(\.name.text).sorted()
    }

    private func table(_ name: String) -> ListTable? {
        settings?.declarations.first { $0.name.text == name }.map { ListTable($0) }
    }

    /// Those that were not given yet, with the sign that a value follows.
    private func columns(of words: [String], _ kind: (ListTable) -> [Column]) -> [String] {
        guard let table = table(words[1]) else { return [] }
        let given = words.dropFirst(2).dropLast().map { $0.prefix { $0 != "=" } }
        return kind(table).map(\.name).filter { !given.contains($0[...]) }.map { $0 + "=" }
    }

    /// Nothing where there is no cache to look at.
    private func ids(of name: String) -> [String] {
        guard let table = table(name), let settings,
            let id = table.declaration.columns.first(where: { $0.bookkeeping == .id })?.name,
            let path = try? composition.find(
                CachePlace(path: settings.database, settings: settings)),
            let connection = try? Connection(
                .file(path), access: .readOnly, busyTimeout: .milliseconds(200)),
            let statement = try? connection.prepare(
                "SELECT \"\(id)\" FROM \"\(name)\" ORDER BY 1 DESC LIMIT \(Self.mostIDs)")
        else { return [] }
        var ids: [String] = []
        while (try? statement.step()) == true { ids.append(statement.value(0).text ?? "") }
        return ids
    }

    private var servers: [String] {
        guard let settings else { return [] }
        let named = settings.serverNames.filter { name in
            if case .login = settings.server(named: name)?.credential { true } else { false }
        }
        return named + (settings.keeps(ListName.todos.text) ? [ListName.todos.text] : [])
    }
}
