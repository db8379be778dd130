internal import Configuration
internal import Store
internal import Text

/// What a person asks of `sync`.
struct SyncOrder: Sendable, Hashable {
    /// In the order of their names; never empty.
    let resources: [Resource]
    /// Nil for all that the configuration keeps: what a daemon is asked for.
    let resource: Resource?
    let acceptsRemovals: Bool
    /// Nil where none was given.
    let limit: Duration?

    init(_ arguments: Arguments, settings: Settings) throws(CommandError) {
        acceptsRemovals = arguments.flags.contains("accept-removals")
        limit = try arguments.duration("timeout")
        if let word = arguments.operands.first {
            guard let named = Resource(rawValue: word) else {
                let remark = NearestName.remark(on: word, among: Resource.allCases.map(\.rawValue))
                throw arguments.usage(
                    "`sync` takes movies or todos, not ‘\(Arguments.shown(word))’\(remark)")
            }
            try settings.require(named)
            resource = named
            resources = [named]
        } else {
            resource = nil
            resources = Resource.allCases.filter { settings.keeps($0.rawValue) }
            guard !resources.isEmpty else {
                throw .notConfigured(
                    "the configuration leaves movies and todos out",
                    hint: "Set movies.enabled or todos.enabled to true in \(settings.file).")
            }
        }
    }
}

extension Settings {
    /// Refuses a command about a resource that is not kept: nobody has said where it would be.
    func require(_ resource: Resource) throws(CommandError) {
        guard keeps(resource.rawValue) else {
            throw .notConfigured(
                "the configuration leaves the \(resource.rawValue) out",
                hint: "Set \(resource.rawValue).enabled to true in \(file).")
        }
    }

    /// Whether a resource is kept, by its name in the views.
    func keeps(_ resource: String) -> Bool {
        switch Resource(rawValue: resource) {
        case .movies: movies.isEnabled
        case .todos: todos.isEnabled
        case nil: false
        }
    }
}
