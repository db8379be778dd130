public import Host

/// What is remembered of a value that the server has acknowledged, until a list decides whether it took it.
///
/// An answer is a claim, and a list is a witness. Lists may lag behind answers, so a list counts as one only if it began
/// ``Witness/memory`` or later after the answer. Until then, an older value of our own is an echo.
public struct FieldTrail: Sendable, Hashable {
    /// What was sent.
    public let sent: FieldValue
    /// The same as the server writes it, if an answer or a list has shown that; nil: somebody else's value took its
    /// place.
    public var own: FieldValue?
    /// What the field had before: the base, and each value of our own since. What was sent is among them if the field
    /// had it before, too.
    public var older: [FieldValue]
    /// When the answer came; or when the first list or read began that has shown the value.
    public private(set) var answeredAt: BootTime
    /// Whether an answer or a list has shown the value, so that its form is known.
    public var isShown: Bool
    /// The server refused it in a success.
    public var isRefused = false
    /// Whether a list or a read has shown the value: the server took it, and what was before is another's from then on.
    public var isWitnessed = false

    /// The most values that are remembered of one field: the oldest ones go first.
    public static let valuesAtMost = 32

    /// A value that was answered at `answeredAt`.
    public init(
        sent: FieldValue, own: FieldValue?, older: [FieldValue], answeredAt: BootTime, isShown: Bool
    ) {
        self.sent = sent
        self.own = own
        self.older = older
        self.answeredAt = answeredAt
        self.isShown = isShown
    }

    /// The trail of `sent`, which followed on `earlier` and on the values `before`.
    package init(
        of sent: FieldValue, after earlier: FieldTrail?, before: [FieldValue], answeredAt: BootTime
    ) {
        let known =
            (earlier?.older ?? []) + [earlier?.sent, earlier?.own].compactMap { $0 } + before
        var older: [FieldValue] = []
        for value in known where !older.contains(value) { older.append(value) }
        self.init(
            sent: sent, own: sent, older: older.suffix(Self.valuesAtMost), answeredAt: answeredAt,
            isShown: false)
    }

    /// What a witness says by a value.
    enum Meaning {
        /// The server took ours, in its own form or not.
        case own
        /// As it was before.
        case older
        /// Ours, though the server refused it in a success.
        case refused
        /// Neither.
        case other
    }

    /// What `shown` says. White space and normal forms are folded only while no form of ours is known, and only if
    /// no older value folds to the same.
    func meaning(of shown: FieldValue) -> Meaning {
        if let own {
            if shown == own || shown == sent { return .own }
            if !isShown, isForm(shown, of: own) { return .own }
        }
        if isRefused, shown == sent || isForm(shown, of: sent) { return .refused }
        return older.contains(shown) ? .older : .other
    }

    private func isForm(_ shown: FieldValue, of value: FieldValue) -> Bool {
        shown.folds(to: value) && !older.contains { $0 != value && $0.folds(to: shown) }
    }

    /// The field had the value before: a list that lags shows it, too.
    var isOfBefore: Bool { own.map { older.contains($0) } ?? false }

    /// The same, after `shown` turned out to be the server's form of it: by an answer, or by a list or a read that
    /// began at `began`. Another list may lag behind the first that has shown it.
    func taking(_ shown: FieldValue, witnessedAt began: BootTime?) -> FieldTrail {
        var trail = self
        if let own, own != shown { trail.remember(own) }
        trail.own = shown
        trail.isShown = true
        if let began, !isWitnessed, !isOfBefore {
            trail.answeredAt = began
            trail.isWitnessed = true
        }
        return trail
    }

    /// The trail of a value that the server set by itself: only what was before is remembered.
    var passed: FieldTrail {
        var trail = self
        trail.own = nil
        trail.isShown = true
        trail.isWitnessed = false
        return trail
    }

    /// The trail of a value that the server refused in a success: it may be there all the same.
    var refused: FieldTrail {
        var trail = passed
        trail.isRefused = true
        return trail
    }

    /// The same, after somebody else's value took its place.
    var givenUp: FieldTrail {
        var trail = self
        if let own { trail.remember(own) }
        if own != sent { trail.remember(sent) }
        trail.own = nil
        trail.isShown = true
        trail.isWitnessed = false
        return trail
    }

    private mutating func remember(_ value: FieldValue) {
        guard !older.contains(value) else { return }
        older = (older + [value]).suffix(Self.valuesAtMost)
    }
}

/// How long after an answer a list counts as a witness.
package enum Witness {
    /// A list that begins so long after an answer decides whether the server did what it said.
    package static let memory = Duration.seconds(60)

    /// Whether a list or a read that began at `began` may still show what was before the answer at `answeredAt`.
    package static func isEcho(began: BootTime, answeredAt: BootTime) -> Bool {
        began.elapsed(since: answeredAt) < memory
    }
}
