internal import Host

extension EditedField {
    /// Whether a list that began at `began` may show what was before the last answer.
    func isEcho(at began: BootTime) -> Bool {
        trail.map { Witness.isEcho(began: began, answeredAt: $0.answeredAt) } ?? false
    }

    /// Whether a list began before the last answer.
    func isStale(at began: BootTime) -> Bool {
        trail.map { began.elapsed(since: $0.answeredAt) < .zero } ?? false
    }

    /// The server's form of what was sent and acknowledged before.
    var showsEarlier: Bool { trail?.meaning(of: shown) == .own }

    /// What was there before a value of ours that the server is known to have taken: somebody set it back.
    var showsBeforeTaken: Bool { trail?.isWitnessed == true && shown != base }
}

extension EditedRow {
    /// Its delete was sent.
    var isLeaving: Bool {
        delete == .inDoubt || delete == .sending || delete == .acknowledged
    }
}

extension EditedRow.Update {
    /// Whether a pull that began at `began` decides it: nothing that was sent can arrive any more.
    func isSettled(at began: BootTime, settlingTime: Duration) -> Bool {
        guard state == .inDoubt else { return false }
        guard let sentAt else { return true }
        return began.elapsed(since: sentAt) >= self.settlingTime ?? settlingTime
    }

    /// Its last answer was a refusal.
    var wasRefused: Bool { DoubtfulRefusal.isOne(status: lastStatus) }
}
