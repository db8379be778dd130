import APIClient
import FoundationEssentials
import ReferenceAPI

/// Speaks to a ``ReferenceServer`` as a client would, and keeps time for it.
struct ReferenceClient {
    /// The invented list, as the demo serves it; made once, because it takes a while.
    static let movies = MovieCatalogue.generated(count: 434, seed: 1, overlap: true, dates: true)

    var server: ReferenceServer
    var seconds: Int64 = 1_000_000
    var milliseconds: Int64 = 0
    var token: String?

    /// A server with the account `a@b.example` / `pw`, and a token for it.
    static func loggedIn(
        _ change: (inout ReferenceBehaviour) -> Void = { _ in }
    ) throws -> ReferenceClient {
        var behaviour = ReferenceBehaviour()
        change(&behaviour)
        var client = ReferenceClient(
            server: ReferenceServer(
                state: ReferenceState(), behaviour: behaviour, movies: movies))
        client.server.addUser(name: "A", email: "a@b.example", password: "pw")
        client.token = try client.logIn("a@b.example", "pw").object()["string"] as? String
        return client
    }

    mutating func send(
        _ method: HTTPMethod, _ target: String, _ body: String? = nil,
        fields: [(String, String)] = [], type: String? = "application/json"
    ) -> HTTPResponse {
        var all = fields.map { HTTPField($0.0, $0.1) }
        if let type { all.append(HTTPField("Content-Type", type)) }
        if let token, !fields.contains(where: { $0.0 == "Authorization" }) {
            all.append(HTTPField("Authorization", "Bearer \(token)"))
        }
        return server.answer(
            HTTPRequest(
                method: method, origin: Origin(scheme: "http", host: "localhost", port: 8080),
                target: target, fields: all, body: body.map { Array($0.utf8) },
                timeout: .seconds(10), maxBodyBytes: 1 << 20), at: seconds,
            milliseconds: milliseconds)
    }

    mutating func logIn(_ email: String, _ password: String) -> HTTPResponse {
        let pair = Data("\(email):\(password)".utf8).base64EncodedString()
        return send(.post, "/login", fields: [("Authorization", "Basic \(pair)")])
    }

    mutating func create(_ title: String, key: String? = nil) -> HTTPResponse {
        let fields = key.map { [("Idempotency-Key", $0)] } ?? []
        return send(.post, "/todos", #"{"title":"\#(title)"}"#, fields: fields)
    }

    mutating func page(_ query: String, token: String = "demo") -> HTTPResponse {
        send(
            .get, "/3/movie/upcoming\(query)", fields: [("Authorization", "Bearer \(token)")])
    }
}
