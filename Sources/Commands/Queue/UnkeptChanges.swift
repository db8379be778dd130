internal import Configuration
internal import Declarations
internal import Rendering
internal import Store
internal import Tables
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
    /// The list that rows of this one refer to, where this one is not synced because that one is not.
    let referred: ListName?
    /// What to do so that they go.
    private let wayBack: String

    private init(_ list: String, count: Int64, referred: ListName?, _ settings: Settings) {
        self.list = list
        self.count = count
        self.referred = referred
        isDeclared = settings.listNames.contains { $0.text == list }
        isBroken = settings.brokenLists.contains { $0.name == list }
        wayBack =
            referred.map { settings.wayBack(to: $0.text, as: "the file") }
            ?? settings.wayBack(to: list)
    }

    /// Those of every list that `settings` do not keep.
    static func all(
        in store: CacheStore, _ settings: Settings?
    ) async throws(CommandError) -> [UnkeptChanges] {
        guard let settings else { return [] }
        let found = try await CommandError.awaiting(
            CommandError.store, try await store.changesByList()
        ).filter { !settings.keeps($0.list) }
        guard !found.isEmpty else { return [] }
        let made = try await CommandError.awaiting(CommandError.store, try await store.tables())
            .map(\.declaration.name)
        return found.map { changes in
            UnkeptChanges(
                changes.list, count: changes.count,
                referred: settings.missingReferred(by: changes.list, among: made), settings)
        }
    }

    var problem: String {
        let changes = count == 1 ? "a change waits" : "\(count) changes wait"
        if let referred {
            return "\(changes), but \(referred), which its rows refer to, is not synced"
        }
        if isBroken { return "\(changes), but the file that declares this list is broken" }
        return isDeclared
            ? "\(changes), but the configuration leaves this list out"
            : "\(changes), but no file declares this list"
    }

    var hint: String { "\(wayBack), or drop the changes: `syncd outbox list` names them." }

    /// What a person has to know, and what to do about it.
    var remark: String { Sentence.joined("\(list): \(problem)", hint) }

    var json: JSONValue {
        [
            "list": .string(list), "changes": .integer(count),
            "declared": .bool(isDeclared), "hint": .string(hint),
        ]
    }
}
