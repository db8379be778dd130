import SyncEngine

/// Something that happens in a run. What it does to which row is drawn from its seed where it happens.
package struct EditStep: Sendable, Hashable {
    package let number: Int
    let seed: UInt64
    var event: EditEvent
    /// What goes wrong, or happens beside it, in a cycle.
    package var disturbances: [EditDisturbance] = []
}

/// What happens.
enum EditEvent: Sendable, Hashable {
    case person(EditPersonAct)
    case others(EditOtherAct)
    case timePasses(milliseconds: Int64)
    /// A request that is late takes effect now.
    case lateArrival
    case cycle(CycleCause)
    /// syncd is dead, and the machine starts anew.
    case reboot
}

/// What a program of the person does.
enum EditPersonAct: Sendable, Hashable, CaseIterable {
    case insert
    case edit
    /// One statement for several fields, or for all rows.
    case editMany
    /// To a value that the field had before.
    case editBack
    /// `REPLACE INTO`, of a whole row.
    case replace
    case upsert
    case delete
    /// `DELETE FROM outbox`.
    case drop
    /// `UPDATE outbox SET state = 'queued'`.
    case retry
    /// `UPDATE outbox SET state = 'rejected'`, of one in doubt, and perhaps what can be done with it then.
    case endDoubt
    /// `DELETE FROM conflicts`, or `syncd conflicts take`.
    case endConflict
}

/// What another client does.
enum EditOtherAct: Sendable, Hashable, CaseIterable {
    case edit
    case create
    case delete
}

/// Something beside a cycle, at one of its requests.
package struct EditDisturbance: Sendable, Hashable {
    /// The request, from 0; of a death at a look at the clock, the look.
    let place: Int
    let kind: Kind
    let seed: UInt64

    enum Kind: Sendable, Hashable {
        case fault(EditFault)
        case person(EditPersonAct)
        case others(EditOtherAct)
        /// syncd dies while the request is under way.
        case death
        /// syncd dies where it looks at the clock, which it does before each commit.
        case deathAtLook
        /// The list lacks a row, this once.
        case lacksRow
    }
}

/// What the network or the server does to a request.
enum EditFault: Sendable, Hashable, CaseIterable {
    case losesRequest
    case losesAnswer
    /// It takes effect later, or never, within two timeouts of its intent.
    case comesLate
    case notSent
    case refuses
    case conflicts
    /// A proxy does not know the path.
    case notFound
    case fails
    /// The server fails, and has done it all the same.
    case failsAfterwards
    case isBusy
    /// The server takes the version for an old one.
    case isStale
}
