internal import Configuration
internal import Declarations
internal import Rendering
internal import Store
internal import Text

/// Changes of a list that is not synced: they wait for as long as it is not.
struct UnkeptChanges: Sendable, Hashable {
    /// The name of the list.
    let list: String
    /// How many there are.
    let count: Int64
    /// Whether a declaration says so; else there is none.
    let isDeclared: Bool
    /// Whether there is a file, which declares nothing.
    let isBroken: Bool

    /// Those of every list that `settings` do not keep.
    static func all(
        in store: CacheStore, _ settings: Settings?
    ) async throws(CommandError) -> [UnkeptChanges] {
        guard let settings else { return [] }
        return try await CommandError.awaiting(
            CommandError.store, try await store.changesByList()
        ).filter { !settings.keeps($0.list) }.map { changes in
            UnkeptChanges(
                list: changes.list, count: changes.count,
                isDeclared: settings.listNames.contains { $0.text == changes.list },
                isBroken: settings.brokenLists.contains { $0.name == changes.list })
        }
    }

    var problem: String {
        let changes = count == 1 ? "a change waits" : "\(count) changes wait"
        if isBroken { return "\(changes), but the file that declares this list is broken" }
        return isDeclared
            ? "\(changes), but the configuration leaves this list out"
            : "\(changes), but no file declares this list"
    }

    var hint: String {
        let isPreset = [ListName.movies, .todos].contains { $0.text == list }
        let first =
            switch (isDeclared, isPreset) {
            case (_, true): "Let the configuration keep the \(list) again"
            case (true, false): "Set enabled to true in \(list).json"
            case (false, false) where isBroken: "Correct its file \(list).json"
            case (false, false): "Put its file \(list).json back"
            }
        return "\(first), or drop the changes: `syncd outbox list` names them."
    }

    /// What a person has to know, and what to do about it.
    var remark: String { Sentence.joined("\(list): \(problem)", hint) }

    var json: JSONValue {
        [
            "list": .string(list), "changes": .integer(count),
            "declared": .bool(isDeclared), "hint": .string(hint),
        ]
    }
}
