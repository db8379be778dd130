public import APIClient

/// A server that says something else than what it did, decided by a seed: what stands before one that is true.
///
/// It has no clock: the same requests at the same moments get the same answers.
public struct UntrueServer: Sendable {
    /// A write that is done later.
    private struct Job {
        let due: Int64
        let request: HTTPRequest
    }

    /// What a list showed.
    private struct Shown {
        let answer: HTTPResponse
        /// Until then, of one of the past; from then on, of one that is kept.
        let moment: Int64
    }

    private let habits: [UntruthHabit]
    private var random: SeededGenerator
    private var jobs: [Job] = []
    /// The newest request for each list, by its target.
    private var asked: [String: HTTPRequest] = [:]
    /// What each list showed before a write, the newest last.
    private var past: [String: [Shown]] = [:]
    private var kept: [String: (shown: Shown, habit: UntruthHabit)] = [:]
    private var madeUp: Int64 = 9_000_000

    private static let longestPast = 100

    /// A server whose untruths begin as `seed` decides.
    public init(_ habits: [UntruthHabit], seed: UInt64) {
        self.habits = habits
        random = SeededGenerator(seed: seed)
    }

    /// Answers `request` at so many milliseconds after 1970; `server` is the one that is true.
    ///
    /// Each request takes one draw for each habit, so that another rate leaves the others' choices as they were.
    public mutating func answer(
        _ request: HTTPRequest, at milliseconds: Int64,
        by server: (HTTPRequest) -> HTTPResponse
    ) -> (answer: HTTPResponse, untruth: Untruth?) {
        doWhatIsDue(at: milliseconds, by: server)
        let drawn = habits.filter { habit in
            let happens = Double.random(in: 0..<1, using: &random) < habit.rate
            return happens && habit.untruth.concerns(request)
        }
        guard let place = ListPlace(request) else { return (server(request), nil) }
        if request.method == .get {
            return place.id == nil
                ? list(request, drawn.first, milliseconds, server) : (server(request), nil)
        }
        remember(at: milliseconds, by: server)
        guard let habit = drawn.first else { return (server(request), nil) }
        return (write(request, place, habit, milliseconds, server), habit.untruth)
    }

    private mutating func doWhatIsDue(
        at milliseconds: Int64, by server: (HTTPRequest) -> HTTPResponse
    ) {
        for job in jobs.filter({ $0.due <= milliseconds }).sorted(by: { $0.due < $1.due }) {
            remember(at: job.due, by: server)
            _ = server(job.request)
        }
        jobs.removeAll { $0.due <= milliseconds }
    }

    // MARK: Lists

    private var lags: Bool { habits.contains { $0.untruth == .listsLag } }

    /// Keeps what the lists show, because a write is about to change them.
    private mutating func remember(
        at milliseconds: Int64, by server: (HTTPRequest) -> HTTPResponse
    ) {
        guard lags else { return }
        for (target, request) in asked.sorted(by: { $0.key < $1.key }) {
            let answer = server(request)
            guard answer.status == 200 else { continue }
            past[target, default: []].append(Shown(answer: answer, moment: milliseconds))
            if past[target]?.count ?? 0 > Self.longestPast { past[target]?.removeFirst() }
        }
    }

    private mutating func list(
        _ request: HTTPRequest, _ habit: UntruthHabit?, _ milliseconds: Int64,
        _ server: (HTTPRequest) -> HTTPResponse
    ) -> (HTTPResponse, Untruth?) {
        var plain = request
        plain.fields.removeAll { $0.isNamed("If-None-Match") }
        asked[request.target] = plain
        if let (shown, habit) = kept[request.target] {
            let age = milliseconds - shown.moment
            if age < habit.seconds * 1000 {
                var answer = shown.answer
                if habit.untruth == .cache {
                    answer.fields.append(HTTPField("Age", "\(age / 1000)"))
                }
                return (answer, habit.untruth)
            }
            kept[request.target] = nil
        }
        guard let habit else { return (server(request), nil) }
        if habit.untruth == .listsLag {
            let lag = Int64.random(in: 0...(habit.seconds * 1000), using: &random)
            let old = past[request.target]?.first { $0.moment > milliseconds - lag }
            return (old.map { Self.untagged($0.answer) } ?? server(request), habit.untruth)
        }
        let answer = Self.untagged(server(plain))
        if answer.status == 200 {
            kept[request.target] = (Shown(answer: answer, moment: milliseconds), habit)
        }
        return (answer, habit.untruth)
    }

    /// A list of the past has no entity tag that the server knows.
    private static func untagged(_ answer: HTTPResponse) -> HTTPResponse {
        var answer = answer
        answer.fields.removeAll { $0.isNamed("ETag") }
        return answer
    }

    // MARK: Writes

    private mutating func write(
        _ request: HTTPRequest, _ place: ListPlace, _ habit: UntruthHabit, _ milliseconds: Int64,
        _ server: (HTTPRequest) -> HTTPResponse
    ) -> HTTPResponse {
        let row = UntrueRow(request)
        switch habit.untruth {
        case .ignoresCreate: return Self.json(201, row.claim(id: inventedID()))
        case .ignoresUpdate: return server(UntrueRow.read(request))
        case .ignoresDelete: return HTTPResponse(status: 204)
        case .ignoresCreateField, .ignoresUpdateField:
            return server(row.lessOneField(using: &random))
        case .refuses: return Self.json(200, UntrueRow.refusal)
        case .isLater:
            let delay = Int64.random(in: 0...(habit.seconds * 1000), using: &random)
            jobs.append(Job(due: milliseconds + delay, request: request))
            return Self.json(202, Array("{}".utf8))
        case .listsLag, .cache, .silentCache: return server(request)
        case .answersPart, .answersOldRow, .answersOtherRow, .answersID, .answersNothing,
            .answersClaim, .refusesInVain:
            break
        }
        let before = place.id == nil ? nil : server(UntrueRow.read(request))
        let answer = server(request)
        guard (200..<300).contains(answer.status) else { return answer }
        switch habit.untruth {
        case .answersPart:
            return Self.json(answer.status, UntrueRow.part(of: answer.body, using: &random))
        case .answersOldRow: return before.map { $0.status == 200 ? $0 : answer } ?? answer
        case .answersOtherRow:
            let others = server(UntrueRow.readList(request, place))
            return UntrueRow.other(than: answer.body, in: others.body).map { Self.json(200, $0) }
                ?? answer
        case .answersID: return Self.json(answer.status, UntrueRow.id(of: answer.body))
        case .answersNothing: return HTTPResponse(status: 204)
        case .answersClaim:
            return Self.json(answer.status, row.claim(id: UntrueRow.idText(of: answer.body)))
        case .refusesInVain: return Self.json(200, UntrueRow.refusal)
        default: return answer
        }
    }

    private mutating func inventedID() -> String {
        madeUp += 1
        return "\(madeUp)"
    }

    private static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: [HTTPField("Content-Type", "application/json; charset=utf-8")],
            body: body)
    }
}
