internal import APIClient
internal import Declarations
internal import Text

/// Looks for the way to ask a list for what has changed alone.
///
/// Pure: the caller asks ``question``, and gives what came, until there is none.
/// Law: a way is believed only if fewer rows come than without it. Each of them is from the moment on, no known one is
/// missing, and a moment far ahead brings none. Where a page is full each time, three moments have to
/// be heeded.
package struct SinceSearch: Sendable {
    /// A request.
    package struct Question: Sendable, Hashable {
        /// The path of the list below the base URL, with its query.
        package let list: String
        fileprivate let step: Step
    }

    /// What came of a request.
    package enum Answer: Sendable {
        case seen(SeenList)
        /// The server refuses it; in a few words.
        case refused(String)
        /// The server takes no more requests now; in a few words.
        case busy(String)
    }

    fileprivate enum Step: Sendable, Hashable {
        /// All in one request: most servers ignore what they do not know.
        case all([SinceWay])
        case one(SinceWay, from: RowMoment, trial: Int)
        case farAhead(SinceWay, Trial)
        /// The server's own text in the place of a moment.
        case token(SinceWay, Trial, String)
    }

    /// A trial that has succeeded.
    struct Trial: Sendable, Hashable {
        let mark: RowMoment
        let rows: Int64
        let of: Int64
        let deleted: Bool
    }

    /// So many requests at most.
    package static let mostQuestions = 16
    /// So many times, a later moment is tried.
    private static let mostTrials = 3

    private let draft: ListDraft
    private let moment: FoundMoment
    /// From where is asked first.
    private let middle: RowMoment
    private var known: [String: RowMoment]
    private var steps: [Step]
    private var asked = 0
    private var refused: [(way: String, why: String)] = []
    private var found: FoundSince.Way?
    private var isCutShort = false

    /// Nil where no field of the rows says when they have changed, or ``FoundSince/unfit(_:)`` of `draft` says why.
    package init?(_ draft: ListDraft) {
        guard case .found(let moment) = FoundMoment.find(in: draft.rows.rows) else { return nil }
        self.draft = draft
        self.moment = moment
        let middle = moment.moments[moment.moments.count / 2]
        self.middle = middle
        known = [:]
        let usual = SinceWay.usual(moment)
        let isDate = middle.isDate
        steps =
            SinceWay.special(moment, draft.seen).map { .one($0, from: middle, trial: 1) }
            + [.all(usual)] + (isDate ? [.all(SinceWay.usualInSeconds)] : [])
        learn(draft.rows.rows)
    }

    /// What to ask next; nil: nothing.
    package var question: Question? {
        guard found == nil, asked < Self.mostQuestions, let step = steps.first else { return nil }
        let (way, mark): (SinceWay, String) =
            switch step {
            case .all(let ways):
                (.joined(ways), middle.sent(inSeconds: ways.first?.inSeconds ?? false))
            case .one(let way, let mark, _): (way, mark.sent(inSeconds: way.inSeconds))
            case .farAhead(let way, let trial):
                (way, far(trial.mark).sent(inSeconds: way.inSeconds))
            case .token(let way, _, let token): (way, token)
            }
        return Question(list: way.list(draft.list, from: mark), step: step)
    }

    /// Goes on with what came of `question`.
    package mutating func take(_ answer: Answer, to question: Question) {
        guard steps.first == question.step else { return }
        asked += 1
        steps.removeFirst()
        if case .busy(let why) = answer {
            refuse("the rest", why)
            steps = []
            return
        }
        switch question.step {
        case .all(let ways): takeAll(answer, ways)
        case .one(let way, let mark, let trial): takeOne(answer, way, mark, trial)
        case .farAhead(let way, let trial): takeFarAhead(answer, way, trial)
        case .token(let way, let trial, let token):
            let isNone = living(answer).map(\.isEmpty) ?? false
            believe(way, trial, token: isNone ? token : nil)
        }
        if asked >= Self.mostQuestions, !steps.isEmpty, found == nil { isCutShort = true }
    }

    /// What came of it.
    package var finding: FoundSince {
        FoundSince(
            path: moment.path.description, way: found, refused: refused, isCutShort: isCutShort,
            isNewestFirst: moment.isNewestFirst(in: draft.rows.rows))
    }

    private mutating func takeAll(_ answer: Answer, _ ways: [SinceWay]) {
        if case .seen(let second) = answer, judge(second, since: middle, by: ways[0]) == .ignored {
            for way in ways { refuse(way.title, "ignored by the server") }
            return
        }
        steps = ways.map { .one($0, from: middle, trial: 1) } + steps
    }

    private mutating func takeOne(
        _ answer: Answer, _ way: SinceWay, _ mark: RowMoment, _ trial: Int
    ) {
        guard case .seen(let second) = answer else {
            if case .refused(let why) = answer { refuse(way.title, why) }
            return
        }
        switch judge(second, since: mark, by: way) {
        case .fits(let rows, let all, let deleted):
            let trial = Trial(mark: mark, rows: rows, of: all, deleted: deleted)
            steps.insert(.farAhead(way, trial), at: 0)
        case .later(let mark, _) where trial < Self.mostTrials:
            learn(draft.rows(in: second) ?? [])
            steps.insert(.one(way, from: mark, trial: trial + 1), at: 0)
        case .later(_, let rows):
            // Each of the moments was heeded, and behind the page there are more rows.
            let trial = Trial(mark: mark, rows: rows, of: rows, deleted: false)
            steps.insert(.farAhead(way, trial), at: 0)
        case .ignored: refuse(way.title, "ignored by the server")
        case .refused(let why): refuse(way.title, why)
        }
    }

    private mutating func takeFarAhead(_ answer: Answer, _ way: SinceWay, _ trial: Trial) {
        guard let rows = living(answer) else {
            return refuse(way.title, "no list comes from \(far(trial.mark).text) on")
        }
        guard rows.isEmpty else {
            return refuse(way.title, "rows come from \(far(trial.mark).text) on, too")
        }
        if way.query.hasPrefix("_since="), let token = entityTag {
            steps = [.token(way, trial, token)]
            return
        }
        believe(way, trial, token: nil)
    }

    /// The entity tag of the list, if it is the largest moment of all rows: so at Kinto.
    private var entityTag: String? {
        guard let tag = draft.seen.fields.first(where: { $0.isNamed("etag") })?.value,
            tag.hasPrefix("\""), tag.hasSuffix("\""),
            let number = Int64(tag.dropFirst().dropLast()),
            let newest = moment.moments.last.flatMap({ Int64($0.text) }), number >= newest
        else { return nil }
        return tag
    }

    private mutating func believe(_ way: SinceWay, _ trial: Trial, token: String?) {
        steps = []
        found = FoundSince.Way(
            query: way.query, inSeconds: way.inSeconds, hasTag: token != nil,
            hasTombstones: trial.deleted || token != nil, mark: trial.mark.text,
            far: far(trial.mark).text, rows: trial.rows, of: trial.of)
    }

    private func judge(
        _ second: SeenList, since mark: RowMoment, by way: SinceWay
    ) -> SinceVerdict {
        SinceVerdict.of(
            second, since: mark.rounded(inSeconds: way.inSeconds), moment, draft, known: known)
    }

    /// The rows of an answer that are not marked as gone; nil where it is none.
    private func living(_ answer: Answer) -> [JSONNode]? {
        guard case .seen(let second) = answer else { return nil }
        return draft.rows(in: second)?.filter { $0.node(at: ["deleted"])?.value != .bool(true) }
    }

    private mutating func learn(_ rows: [JSONNode]) {
        for row in rows {
            guard let id = draft.id(of: row) else { continue }
            known[id] = row.node(at: moment.names).flatMap(RowMoment.init)
        }
    }

    private mutating func refuse(_ way: String, _ why: String) { refused.append((way, why)) }

    /// Behind every moment that is known.
    private func far(_ mark: RowMoment) -> RowMoment { (moment.moments.last ?? mark).farAhead }
}
