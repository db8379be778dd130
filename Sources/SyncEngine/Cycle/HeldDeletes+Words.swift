package import Store

extension HeldDeletes {
    /// What a person has to know, without the name of the list.
    package var problem: String {
        let part = count >= rows ? "all \(rows) rows" : "\(count) of \(rows) rows"
        return "a program deleted \(part) within a minute: these deletes are held, and not sent"
    }

    /// What a person can do about it.
    package var hint: String {
        "If they are meant, run `syncd sync \(list) --accept-deletes`; "
            + "`syncd outbox drop --held` brings the rows back."
    }

    /// That they are decided, for the log.
    package static let ended = "no delete is held any more"
}
