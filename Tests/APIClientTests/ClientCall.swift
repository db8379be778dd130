import APIClient
import APIClientTesting
import Testing
import Text

/// One call of a client, with the answer it wants and what it makes of it.
struct ClientCall: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: HTTPMethod
    let target: String
    /// A body the call takes.
    let valid: String
    /// What the call makes of it.
    let result: String
    /// Whether an empty body is a success.
    var takesEmpty = false
    /// Whether the call hands bytes on that are no JSON.
    var isRaw = false
    /// Whether any success is one, whatever its body and encoding, but for a page of HTML.
    var takesAnything = false
    let run: @Sendable (any Transport) async throws(APIError) -> String

    static let timeout = Duration.milliseconds(2500)
    static let limits = RequestLimits(timeout: .seconds(10), maxBodyBytes: 1_000_000)

    static func todos(_ transport: any Transport) -> TodosClient {
        TodosClient(
            baseURL: .localhost, limits: limits, userAgent: "syncd/1.2", transport: transport)
    }

    static func movies(
        _ transport: any Transport, _ credential: MoviesCredential = .bearer("to+ke/n=")
    ) -> MoviesClient {
        MoviesClient(
            baseURL: .tmdb, credential: credential, language: "en-US", region: nil, limits: limits,
            userAgent: "syncd/1.2", transport: transport)
    }

    static func list(_ transport: any Transport) -> ListClient {
        ListClient(
            baseURL: .localhost, credential: .none, fields: [], limits: limits,
            userAgent: "syncd/1.2", transport: transport, secrets: Secrets())
    }

    static func row(_ method: HTTPMethod) -> RowCall {
        RowCall(method: method, path: "/notes/7?v=1", fields: [], body: nil)
    }

    static func show(_ answer: PullAnswer) -> String {
        switch answer {
        case .notModified: "not modified"
        case .body(let bytes, let validators, _):
            String(decoding: bytes, as: UTF8.self) + (validators.isEmpty ? "" : " \(validators)")
        }
    }

    static let all: [ClientCall] = [
        ClientCall(
            testDescription: "pullTodos", method: .get, target: "/todos",
            valid: #"[{"id":1}]"#, result: #"[{"id":1}]"#, isRaw: true
        ) { transport async throws(APIError) in
            show(try await todos(transport).pullTodos(token: "to+ke/n=", validators: nil))
        },
        ClientCall(
            testDescription: "todos", method: .get, target: "/todos",
            valid: #"[{"id":1,"title":"a","x":2}]"#, result: "1 a"
        ) { transport async throws(APIError) in
            let list = try await todos(transport).todos(token: "to+ke/n=")
            return list.map { "\($0.id?.text ?? "-") \($0.title)" }.joined(separator: ",")
        },
        ClientCall(
            testDescription: "createTodo", method: .post, target: "/todos",
            valid: #"{"title":"a","id":"x"}"#, result: #"x a {"title":"a","id":"x"}"#
        ) { transport async throws(APIError) in
            let created = try await todos(transport).createTodo(
                title: "a", idempotencyKey: "key-1", token: "to+ke/n=", timeout: timeout)
            let id = created.todo.id?.text ?? "-"
            return "\(id) \(created.todo.title) \(String(decoding: created.body, as: UTF8.self))"
        },
        ClientCall(
            testDescription: "createTodoBody", method: .post, target: "/todos",
            valid: #"{"x":"\u0000"}"#, result: #"{"x":"\uFFFd"}"#, takesEmpty: true, isRaw: true
        ) { transport async throws(APIError) in
            let body = try await todos(transport).createTodoBody(
                title: "a", idempotencyKey: nil, token: "to+ke/n=", timeout: timeout)
            return String(decoding: body, as: UTF8.self)
        },
        ClientCall(
            testDescription: "deleteTodo", method: .delete, target: "/todos/7",
            valid: #"{"title":"a","id":7}"#, result: "done", takesEmpty: true, takesAnything: true
        ) { transport async throws(APIError) in
            try await todos(transport).deleteTodo(ServerID(7), token: "to+ke/n=", timeout: timeout)
            return "done"
        },
        ClientCall(
            testDescription: "login", method: .post, target: "/login",
            valid: #"{"string":"abc+/=","expiresAt":"x","userID":1}"#, result: "abc+/="
        ) { transport async throws(APIError) in
            try await todos(transport).login(email: "email", password: "password")
        },
        ClientCall(
            testDescription: "createUser", method: .post, target: "/users",
            valid: #"{"id":1,"email":"e@x","name":"N"}"#, result: "1 e@x N"
        ) { transport async throws(APIError) in
            let user = try await todos(transport).createUser(
                name: "N", email: "e@x", password: "password")
            return "\(user.id) \(user.email) \(user.name)"
        },
        ClientCall(
            testDescription: "pullUpcoming", method: .get,
            target: "/3/movie/upcoming?page=2&language=en-US",
            valid: #"{"results":[]}"#, result: #"{"results":[]}"#, isRaw: true
        ) { transport async throws(APIError) in
            show(try await movies(transport).pullUpcoming(page: 2, validators: nil))
        },
        ClientCall(
            testDescription: "upcomingMovies", method: .get,
            target: "/3/movie/upcoming?page=2&language=en-US",
            valid:
                #"{"page":2,"results":[{"id":5,"title":"T"}],"total_pages":3,"total_results":41}"#,
            result: "2/3 of 41: T"
        ) { transport async throws(APIError) in
            let page = try await movies(transport).upcomingMovies(page: 2)
            let titles = page.results.map(\.title).joined(separator: ",")
            return "\(page.page)/\(page.totalPages) of \(page.totalResults): \(titles)"
        },
        ClientCall(
            testDescription: "send", method: .patch, target: "/notes/7?v=1",
            valid: #"{"x":"\u0000"}"#, result: #"{"x":"\uFFFd"}"#, takesEmpty: true, isRaw: true,
            takesAnything: true
        ) { transport async throws(APIError) in
            let answer = try await list(transport).send(row(.patch), secret: "", timeout: timeout)
            return String(decoding: answer.body, as: UTF8.self)
        },
        ClientCall(
            testDescription: "send, for a delete", method: .put, target: "/notes/7?v=1",
            valid: #"{"title":"a","id":7}"#, result: "done", takesEmpty: true, takesAnything: true
        ) { transport async throws(APIError) in
            _ = try await list(transport).send(row(.put), secret: "", timeout: timeout)
            return "done"
        },
    ]
}
