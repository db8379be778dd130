public import Host

/// From where the next increment of a list asks, and what becomes that mark later.
///
/// Law: the mark is the largest moment that has stood in the table for ``standing`` when a pull begins, and it moves
/// when that pull was read to its end and taken. What stood then, the server had given by then. A change that the pull
/// does not show becomes visible after it began, so its moment is later, unless the server commits rows more than
/// four minutes after their moments. What the pull itself has shown counts for a later pull alone, so neither the
/// order of its pages nor its length matters.
public struct SinceMarks: Sendable, Hashable {
    /// So long a moment stands in the table before it becomes the mark.
    public static let standing = Duration.seconds(240)

    /// In the server's own letters; nil: the next pull asks for the whole list.
    public var mark: String?
    /// The moment that becomes the mark, and since when it stands.
    public var candidate: Candidate?
    /// The largest moment that any pull has shown.
    public var newest: String?

    /// A moment that may become the mark.
    public struct Candidate: Sendable, Hashable {
        /// In the server's own letters.
        public var moment: String
        /// When the pull that showed it had been taken.
        public var since: BootTime

        /// A moment that stands since then.
        public init(moment: String, since: BootTime) {
            self.moment = moment
            self.since = since
        }
    }

    /// What is known; nothing before the first pull.
    public init(mark: String? = nil, candidate: Candidate? = nil, newest: String? = nil) {
        self.mark = mark
        self.candidate = candidate
        self.newest = newest
    }

    /// What is known after a pull that began at `began`, was read to its end, and was taken at `now`: `newest` is the
    /// largest moment that it or an earlier one has shown.
    package func moved(byPullAt began: BootTime, newest: String?, now: BootTime) -> SinceMarks {
        var marks = self
        // What stood in another boot stands at least since this one's start.
        if let candidate, began.elapsed(since: candidate.since) >= Self.standing {
            marks.mark = candidate.moment
            marks.candidate = nil
        }
        marks.newest = newest ?? self.newest
        if marks.candidate == nil, let moment = marks.newest, moment != marks.mark {
            marks.candidate = Candidate(moment: moment, since: now)
        }
        return marks
    }

    /// What is known after a pull whose first answer with a text of the server's own had `token`.
    package func moved(to token: String?) -> SinceMarks {
        SinceMarks(mark: token ?? mark)
    }
}
