public import APIClient

/// Both servers of the contract, movies and todos, as one value: request in, answer out.
///
/// It has no clock and no chance of its own: the same requests at the same seconds under the same
/// ``ReferenceBehaviour`` give the same answers, byte for byte. Whoever owns it decides about
/// threads, network and disk. Of a request only method, target, fields and body count.
public struct ReferenceServer: Sendable {
    /// Can be changed between two answers.
    public var behaviour: ReferenceBehaviour {
        didSet { writtenLists.removeAll() }
    }
    /// The list of movies; can be exchanged between two answers.
    public var movies: MovieCatalogue
    /// Lists of any rows, by the names in their paths; can be exchanged between two answers.
    public var declaredLists: [String: ReferenceList] = [:]
    /// What the todo service remembers.
    public private(set) var state: ReferenceState
    /// What the last call that could change something changed, in order; already in ``state``.
    public internal(set) var lastChanges: [ReferenceChange] = []
    /// Decides shuffled orders; not part of the state, because reading changes nothing.
    private(set) var lists: UInt64 = 0

    /// Lists as they were written since the last change, by their owner.
    var writtenLists: [ReferenceID: [UInt8]] = [:]
    /// The moment of the last request, after 1970.
    private(set) var milliseconds: Int64 = 0
    /// The todos before the last write to them and its moment, where lists lag.
    private(set) var beforeLastWrite: (todos: [ReferenceState.Todo], milliseconds: Int64)?
    /// The moment of the last request that the rate limit took.
    private var lastTaken: Int64?

    /// A server that goes on from `state`.
    public init(state: ReferenceState, behaviour: ReferenceBehaviour, movies: MovieCatalogue) {
        self.state = state
        self.behaviour = behaviour
        self.movies = movies
    }

    /// Answers `request` as it arrives at `seconds` and `milliseconds` (0 to 999) after 1970, wholly
    /// or not at all: what it changes is in ``state`` and ``lastChanges`` when the answer is returned.
    /// Only the rate limit and lists that lag look at the milliseconds.
    public mutating func answer(
        _ request: HTTPRequest, at seconds: Int64, milliseconds: Int64 = 0
    ) -> HTTPResponse {
        lastChanges = []
        self.milliseconds = seconds &* 1000 &+ milliseconds
        let target = RequestTarget(request.target)
        guard var segments = target.segments else { return Self.refusal(404, "Not Found") }
        if segments.first == "3" {
            return movieAnswer(request, path: segments.dropFirst(), query: target.query)
        }
        if let refused = refusedByLimit() { return refused }
        if segments.first == "lists", (2...3).contains(segments.count) {
            let name = segments[1]
            if segments.count == 3, segments[2] == "search", request.method == .post {
                return searchAnswer(request, name: name)
            }
            let isWritable = declaredLists[name]?.isWritable ?? false
            guard segments.count == 2 else {
                return only([.get] + (isWritable ? [.patch, .put, .delete] : []), request) {
                    switch request.method {
                    case .get: $0.row(segments[2], of: name, request)
                    case .delete: $0.removal(of: segments[2], from: name, request)
                    default: $0.edit(of: segments[2], in: name, request)
                    }
                }
            }
            return only(isWritable ? [.get, .post] : [.get], request) {
                request.method == .get
                    ? $0.listAnswer(request, name: name, query: target.query)
                    : $0.addition(to: name, request)
            }
        }
        if let status = behaviour.slashRedirect, segments.first == "todos" {
            guard segments.last == "" else { return Self.slash(status, request.target) }
            segments.removeLast()
        }
        return todoAnswer(request, segments, query: target.query, at: seconds)
    }

    private mutating func todoAnswer(
        _ request: HTTPRequest, _ segments: [String], query: [String: String], at seconds: Int64
    ) -> HTTPResponse {
        switch (segments.first ?? "", segments.count) {
        case ("users", 1):
            return only([.post], request) { $0.signUp(request) }
        case ("login", 1):
            return only([.post], request) { $0.logIn(request, at: seconds) }
        case ("todos", 1):
            return only([.get, .post], request) {
                switch $0.owner(of: request, at: seconds) {
                case .failure(let refused): refused.answer
                case .success(let user):
                    request.method == .get
                        ? $0.list(request, of: user, query: query)
                        : $0.create(request, for: user, at: seconds)
                }
            }
        case ("todos", 2) where !segments[1].isEmpty:
            return only([.delete], request) {
                switch $0.owner(of: request, at: seconds) {
                case .failure(let refused): refused.answer
                case .success(let user): $0.delete(segments[1], of: user)
                }
            }
        default:
            return Self.refusal(404, "Not Found")
        }
    }

    /// An answer in the todo service's form for errors.
    public static func refusal(_ status: Int, _ reason: String) -> HTTPResponse {
        json(status, .object([("error", .bool(true)), ("reason", .string(reason))]))
    }

    /// 429 for a request that comes too soon after the last one that was taken.
    private mutating func refusedByLimit() -> HTTPResponse? {
        guard let limit = behaviour.rateLimit else { return nil }
        let (age, isFar) = milliseconds.subtractingReportingOverflow(lastTaken ?? .min)
        // A clock that goes backwards refuses nothing.
        if !isFar, age >= 0, age < limit.gapMilliseconds {
            var refused = Self.refusal(429, "Too Many Requests")
            if let wait = limit.retryAfter {
                refused.fields.append(HTTPField("Retry-After", "\(wait)"))
            }
            return refused
        }
        lastTaken = milliseconds
        return nil
    }

    /// The redirect of a path to itself with `/` behind.
    private static func slash(_ status: Int, _ target: String) -> HTTPResponse {
        let scalars = target.unicodeScalars
        let end = scalars.firstIndex(of: "?") ?? scalars.endIndex
        let location = String(scalars[..<end]) + "/" + String(scalars[end...])
        return HTTPResponse(status: status, fields: [HTTPField("Location", location)])
    }

    static func json(_ status: Int, _ value: JSONOutput) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: [HTTPField("Content-Type", "application/json; charset=utf-8")],
            body: value.bytes())
    }

    /// 405 for another method, 413 for too large a body, else what `handle` says.
    private mutating func only(
        _ methods: [HTTPMethod], _ request: HTTPRequest,
        _ handle: (inout ReferenceServer) -> HTTPResponse
    ) -> HTTPResponse {
        guard methods.contains(request.method) else {
            var refused = Self.refusal(405, "Method Not Allowed")
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            refused.fields.append(HTTPField("Allow", allowed))
            return refused
        }
        guard (request.body?.count ?? 0) <= behaviour.maxBodyBytes else {
            return Self.refusal(413, "Payload Too Large")
        }
        return handle(&self)
    }

    /// Answers with `response`, or with 304 where the client has what `content` stands for.
    func conditional(
        _ response: HTTPResponse, _ content: some Sequence<UInt8>, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard behaviour.entityTags else { return response }
        let tag = ContentTag(of: content)
        let conditions = request.fields.filter { $0.name.lowercased() == "if-none-match" }
        if conditions.contains(where: { tag.isNamed(in: $0.value) }) {
            let links = response.fields.filter {
                behaviour.linksWhenUnchanged && $0.isNamed("Link")
            }
            return HTTPResponse(status: 304, fields: [HTTPField("ETag", tag.field)] + links)
        }
        var tagged = response
        tagged.fields.append(HTTPField("ETag", tag.field))
        return tagged
    }

    /// The one door to the state.
    mutating func change(_ change: ReferenceChange) {
        switch change {
        case .todoAdded, .todoRemoved:
            // Only where it is needed: to keep the old rows costs a copy of all.
            beforeLastWrite = behaviour.lag.map { _ in (state.todos, milliseconds) }
        case .everythingForgotten: beforeLastWrite = nil
        case .listChanged(let name, let change): declaredLists[name]?.written.apply(change)
        case .userAdded, .tokenAdded, .answerKept, .answersDropped: break
        }
        state.apply(change)
        writtenLists.removeAll()
        lastChanges.append(change)
    }

    /// The number of the list that is about to be answered.
    mutating func countList() -> UInt64 {
        lists &+= 1
        return lists
    }
}
