internal import CommandLine
internal import Configuration
internal import Declarations
internal import Store
internal import Text

/// What a person asks of `sync`.
struct SyncOrder: Sendable, Hashable {
    /// In the order of their names; never empty.
    let lists: [ListName]
    /// Nil for all that the configuration keeps: what a daemon is asked for.
    let list: ListName?
    let acceptsRemovals: Bool
    /// Whether held deletes may go.
    let acceptsDeletes: Bool
    /// Whether whole lists are read, also where changes alone would be asked for.
    let readsWhole: Bool
    /// Nil where none was given.
    let limit: Duration?

    init(_ arguments: Arguments, settings: Settings) throws(CommandError) {
        acceptsRemovals = arguments.flags.contains("accept-removals")
        acceptsDeletes = arguments.flags.contains("accept-deletes")
        readsWhole = arguments.flags.contains("whole")
        limit = try arguments.duration("timeout")
        if let word = arguments.operands.first {
            if let broken = settings.brokenLists.first(where: { $0.name == word }) {
                throw .configuration(broken.error)
            }
            guard let named = settings.listNames.first(where: { $0.text == word }) else {
                throw arguments.unknownList(word, among: settings.listNames.map(\.text))
            }
            try settings.require(named)
            list = named
            lists = [named]
        } else {
            list = nil
            lists = settings.listNames.filter { settings.keeps($0.text) }
            guard !lists.isEmpty else {
                throw settings.keepsNothing
            }
        }
    }
}

extension Settings {
    /// Every list that the configuration knows, in the order of their names.
    var listNames: [ListName] {
        declarations.map(\.name).sorted { $0.text < $1.text }
    }

    /// Refuses a command about a list that is not kept: nobody has said where it would be.
    func require(_ list: ListName) throws(CommandError) {
        guard keeps(list.text) else { throw leftOut(list) }
    }

    /// The error of a command about a list that is not kept.
    func leftOut(_ list: ListName) -> CommandError {
        let sentence = "the configuration leaves the \(list.text) out"
        if lists.contains(where: { $0.declaration.name == list }) {
            // The file of this name was read a moment ago.
            let place = (try? place(ofList: list)).map { "\($0.directory)/\($0.file)" }
            let file = place.map { ForeignText($0).escaped } ?? "the file that declares it"
            return .notConfigured(sentence, hint: "Set enabled to true in \(file).")
        }
        let isSet = effectiveValues.contains {
            $0.key == "\(list.text).enabled" && $0.source != .standard
        }
        return .notConfigured(
            sentence,
            hint: isSet
                ? "Set \(list.text).enabled to true in \(file)."
                : "Run `syncd setup --replace`, or add a section \(list.text) to \(file).")
    }

    /// The error of a sync of nothing.
    var keepsNothing: CommandError {
        .notConfigured(
            "the configuration keeps no list",
            hint: "Run `syncd declare URL --write` for a list of any server, or `syncd setup "
                + "--replace` for movies and todos.")
    }

    /// Whether a list is kept, by its name in the views.
    func keeps(_ list: String) -> Bool {
        declarations.contains { $0.name.text == list && $0.isEnabled }
    }
}
