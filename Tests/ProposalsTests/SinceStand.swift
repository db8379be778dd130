import APIClient
import Proposals
import ReferenceAPI
import Text

/// A list of the reference server, and how `declare` asks it for what has changed.
struct SinceStand {
    var server = ReferenceServer(
        state: ReferenceState(), behaviour: ReferenceBehaviour(),
        movies: .generated(count: 1, seed: 1, overlap: false, dates: true))
    /// Answers in the place of the server; nil: the server does.
    var unkindness: @Sendable (String) -> HTTPResponse? = { _ in nil }
    /// What was asked for, in its order, without the first request.
    private(set) var asked: [String] = []

    static let target = "/lists/notes"

    /// The list of `rows`, which knows the parameter; nil: it knows none.
    init(
        _ rows: [String], parameter: String?, member: String = "updated_at",
        paging: ReferenceList.Paging = .none, size: Int = 1000,
        lie: ReferenceList.Increments.Lie? = nil
    ) {
        var list = ReferenceList(rows: rows, paging: paging, size: size)
        if let parameter {
            list.increments = .init(parameter: parameter, member: member)
            list.increments?.lie = lie
        }
        server.declaredLists["notes"] = list
    }

    /// Rows whose moments are an hour apart, the second one first: their ids go another way.
    static func rows(_ count: Int, member: String = "updated_at") -> [String] {
        (0..<count).map { number in
            let hour = (number + 1) % count
            let moment =
                "2026-11-\(hour / 24 + 10)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00:00Z"
            return #"{"id":\#(number + 1),"title":"t","\#(member)":"\#(moment)"}"#
        }
    }

    static func answer(_ body: String, _ status: Int = 200, _ fields: [HTTPField] = [])
        -> HTTPResponse
    {
        HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
    }

    private mutating func response(_ target: String) throws -> HTTPResponse {
        if let response = unkindness(target) { return response }
        return server.answer(
            HTTPRequest(
                method: .get, origin: try BaseURL("https://example.org").origin, target: target,
                fields: [], timeout: .seconds(1), maxBodyBytes: 1 << 20), at: 0)
    }

    private mutating func seen(_ target: String) throws -> SeenList? {
        var response = try response(target)
        guard response.status == 200 else { return nil }
        try BodyCheck.run(&response.body, maxDepth: BodyCheck.standardDepth)
        return try SeenList(response, body: response.body, target: target)
    }

    /// What is proposed of the list.
    mutating func proposal(target: String = Self.target) throws -> ListProposal {
        guard let first = try seen(target) else { throw NoAnswer() }
        let draft = try ListDraft(first, list: target)
        var proposal = draft.proposal(
            server: .object([("baseURL", .text("https://example.org"))]),
            tried: draft.candidates.prefix(1).map { ($0, .confirmed(rows: 1)) })
        guard var search = SinceSearch(draft) else {
            if let unfit = FoundSince.unfit(draft) { proposal.add(unfit, read: nil) }
            return proposal
        }
        while let question = search.question {
            asked.append(question.list)
            let answer: SinceSearch.Answer =
                if let second = try seen(question.list) {
                    .seen(second)
                } else {
                    .refused("the server answers 400")
                }
            search.take(answer, to: question)
        }
        var read: FoundRead?
        for candidate in RowCandidate.all(draft) where search.finding.value != nil {
            asked.append(candidate.list)
            if read == nil, let row = try seen(candidate.list) { read = candidate.judge(row) }
        }
        proposal.add(search.finding, read: read)
        return proposal
    }

    private struct NoAnswer: Error {}
}
