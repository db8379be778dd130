/// Why a cycle starts.
public enum CycleCause: Sendable, Hashable {
    /// It was due.
    case scheduled
    /// Another program wrote to the cache.
    case localWrite
    /// A person asked: our own backoff is skipped, what the server asked for is not.
    case asked(acceptsRemovals: Bool)

    /// Whether a person asked.
    package var isAsked: Bool {
        switch self {
        case .asked: true
        case .scheduled, .localWrite: false
        }
    }

    /// Whether a person lets a pull remove more than the wipe guard does.
    package var acceptsRemovals: Bool {
        switch self {
        case .asked(let accepts): accepts
        case .scheduled, .localWrite: false
        }
    }
}
