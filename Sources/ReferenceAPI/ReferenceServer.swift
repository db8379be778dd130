public import APIClient

/// Both servers of the contract, movies and todos, as one value: request in, answer out.
///
/// It has no clock and no chance of its own: the same requests at the same seconds under the same
/// ``ReferenceBehaviour`` give the same answers, byte for byte. Whoever owns it decides about
/// threads, network and disk. Of a request only method, target, fields and body count.
public struct ReferenceServer: Sendable {
    /// Can be changed between two answers.
    public var behaviour: ReferenceBehaviour
    /// The list of movies; can be exchanged between two answers.
    public var movies: MovieCatalogue
    /// What the todo service remembers.
    public private(set) var state: ReferenceState
    /// What the last call that could change something changed, in order; already in ``state``.
    public internal(set) var lastChanges: [ReferenceChange] = []
    /// Decides shuffled orders; not part of the state, because reading changes nothing.
    private(set) var lists: UInt64 = 0

    /// Lists as they were written since the last change, by their owner.
    var writtenLists: [ReferenceID: [UInt8]] = [:]

    /// A server that goes on from `state`.
    public init(state: ReferenceState, behaviour: ReferenceBehaviour, movies: MovieCatalogue) {
        self.state = state
        self.behaviour = behaviour
        self.movies = movies
    }

    /// Answers `request` as it arrives at `seconds` after 1970, wholly or not at all: what it
    /// changes is in ``state`` and ``lastChanges`` when the answer is returned.
    public mutating func answer(_ request: HTTPRequest, at seconds: Int64) -> HTTPResponse {
        lastChanges = []
        let target = RequestTarget(request.target)
        guard let segments = target.segments else { return Self.refusal(404, "Not Found") }
        if segments.first == "3" {
            return movieAnswer(request, path: segments.dropFirst(), query: target.query)
        }
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
                        ? $0.list(request, of: user) : $0.create(request, for: user, at: seconds)
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

    static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
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
        let tag = EntityTag(of: content)
        let conditions = request.fields.filter { $0.name.lowercased() == "if-none-match" }
        if conditions.contains(where: { tag.isNamed(in: $0.value) }) {
            return HTTPResponse(status: 304, fields: [HTTPField("ETag", tag.field)])
        }
        var tagged = response
        tagged.fields.append(HTTPField("ETag", tag.field))
        return tagged
    }

    /// The one door to the state.
    mutating func change(_ change: ReferenceChange) {
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
