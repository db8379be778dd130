package import Store
internal import Text

extension WaitingChanges {
    /// What a person has to know, without the name of the list; nil where nothing is stuck.
    package var problem: String? {
        guard stuck > 0 else { return nil }
        let subject: String
        switch (stuck, waiting) {
        case (1, 1): subject = "the change that waits is stuck"
        case (1, _): subject = "1 of \(waiting) changes that wait is stuck"
        case _ where stuck == waiting: subject = "all \(stuck) changes that wait are stuck"
        default: subject = "\(stuck) of \(waiting) changes that wait are stuck"
        }
        return "\(subject) (tried three times, or waiting for an hour): "
            + (error ?? "nothing has tried to send them")
    }

    /// What a person can do about it.
    package static let hint =
        "See `syncd outbox list` and `syncd plan`; correct the rows or what the server misses, or give "
        + "changes up with `syncd outbox drop`."

    /// That nothing is stuck any more, for the log.
    package static let ended = "no change is stuck any more"
}

extension ReplayHalt {
    /// What a person has to know, without the name of the list.
    package var problem: String { "changes are not sent: \(state.rawValue): \(error)" }

    /// That changes are sent again, for the log.
    package static let ended = "nothing keeps changes from being sent any more"
}
