import APIClient
import Foundation

/// One call of a client: the requests it makes, what a good server says to them, and what the
/// call makes of that.
struct Call: Sendable, CustomStringConvertible {
    /// One request of the call as it must go out, and the body of a good answer.
    struct Step: Sendable {
        let method: HTTPMethod
        let target: String
        /// In the order they are built.
        let fields: [HTTPField]
        var body: String?
        let answer: String

        /// As it is handed to a transport.
        func request(to baseURL: BaseURL, timeout: Duration) -> HTTPRequest {
            HTTPRequest(
                method: method, origin: baseURL.origin, target: target, fields: fields,
                body: body.map { Array($0.utf8) }, timeout: timeout,
                maxBodyBytes: Rig.maxBodyBytes)
        }
    }

    let description: String
    /// A failure meets the last one; those before are answered well.
    let steps: [Step]
    /// What the call makes of good answers.
    let result: String
    /// Whether an empty body is a success, and then the result.
    var takesEmpty = false
    /// Whether any body of a success is one, but for a page of HTML.
    var takesAnything = false
    let run: @Sendable (Rig) async throws(APIError) -> String

    var last: Step { steps[steps.count - 1] }

    static let token = "to+ke/n="
    static let userAgent = "conformance/1"

    /// The fields of a call of the todos API.
    private static func fields(_ authorization: String?, _ more: HTTPField...) -> [HTTPField] {
        [.init("Content-Type", "application/json"), .init("Cache-Control", "no-cache")]
            + (authorization.map { [.init("Authorization", $0)] } ?? [])
            + [.init("User-Agent", userAgent)] + more
    }

    private static func page(_ number: Int, of total: Int, title: String) -> Step {
        Step(
            method: .get, target: "/movie/upcoming?page=\(number)&language=en-US",
            fields: [
                .init("Authorization", "Bearer \(token)"), .init("User-Agent", userAgent),
            ],
            answer: #"{"page":\#(number),"results":[{"id":\#(number),"title":"\#(title)"}],"#
                + #""total_pages":\#(total),"total_results":\#(total)}"#)
    }

    static let all: [Call] = [
        createUser, login, todos, createTodo, deleteTodo, movies, pages, replaceRow, archiveRow,
    ]

    static let createUser = Call(
        description: "createUser",
        steps: [
            Step(
                method: .post, target: "/users", fields: fields(nil),
                body: #"{"email":"e@x.example","name":"N","password":"p","verifyPassword":"p"}"#,
                answer: #"{"id":1,"email":"e@x.example","name":"N","extra":true}"#)
        ], result: "1 e@x.example N"
    ) { rig async throws(APIError) in
        let user = try await rig.todos.createUser(name: "N", email: "e@x.example", password: "p")
        return "\(user.id) \(user.email) \(user.name)"
    }

    static let login = Call(
        description: "login",
        steps: [
            Step(
                method: .post, target: "/login",
                fields: [
                    .init("Content-Type", "application/json"), .init("Cache-Control", "no-cache"),
                    .init("Authorization", "Basic ZW1haWw6cGFzc3dvcmQ="),
                    .init("User-Agent", userAgent),
                ],
                answer: #"{"string":"abc+/=","userID":1}"#)
        ], result: "abc+/="
    ) { rig async throws(APIError) in
        try await rig.todos.login(email: "email", password: "password")
    }

    static let todos = Call(
        description: "todos",
        steps: [
            Step(
                method: .get, target: "/todos", fields: fields("Bearer \(token)"),
                answer: #"[{"id":1,"title":"ä"},{"id":"x","title":"b","done":false}]"#)
        ], result: "1 ä, x b"
    ) { rig async throws(APIError) in
        try await rig.todos.todos(token: token)
            .map { "\($0.id?.text ?? "-") \($0.title)" }.joined(separator: ", ")
    }

    static let createTodo = Call(
        description: "createTodo",
        steps: [
            Step(
                method: .post, target: "/todos",
                fields: fields("Bearer \(token)", .init("Idempotency-Key", "key-1")),
                body: #"{"title":"milk"}"#, answer: #"{"id":7,"title":"milk"}"#)
        ], result: "7 milk"
    ) { rig async throws(APIError) in
        let created = try await rig.todos.createTodo(
            title: "milk", idempotencyKey: "key-1", token: token, timeout: rig.timeout)
        return "\(created.todo.id?.text ?? "-") \(created.todo.title)"
    }

    static let deleteTodo = Call(
        description: "deleteTodo",
        steps: [
            Step(
                method: .delete, target: "/todos/7", fields: fields("Bearer \(token)"),
                answer: #"{"id":7,"title":"milk"}"#)
        ], result: "deleted", takesEmpty: true, takesAnything: true
    ) { rig async throws(APIError) in
        try await rig.todos.deleteTodo(ServerID(7), token: token, timeout: rig.timeout)
        return "deleted"
    }

    static let movies = Call(
        description: "upcomingMovies(page:)", steps: [page(2, of: 3, title: "T")],
        result: "2/3 T"
    ) { rig async throws(APIError) in
        show(try await rig.movies.upcomingMovies(page: 2))
    }

    static let pages = Call(
        description: "upcomingPages",
        steps: [page(1, of: 2, title: "A"), page(2, of: 2, title: "B")], result: "1/2 A, 2/2 B"
    ) { rig async throws(APIError) in
        var shown: [String] = []
        for try await page in rig.movies.upcomingPages { shown.append(show(page)) }
        return shown.joined(separator: ", ")
    }

    /// Those of the server of a list.
    static let listFields = [HTTPField("X-Space", "garden")]

    /// A write of a declared list, whose answer the caller judges.
    static let replaceRow = rowCall(
        "send", .put, path: "/notes/7?v=1", answer: #"{"id":7,"title":"milk"}"#, result: "7 milk",
        takesAnything: false
    ) { list, call, timeout async throws(APIError) in
        let body = try await list.send(call, secret: token, timeout: timeout).body
        guard !body.isEmpty else { throw .emptyData }
        guard let todo = try? JSONDecoder().decode(Todo.self, from: Data(body)) else {
            throw .malformed("no row")
        }
        return "\(todo.id?.text ?? "-") \(todo.title)"
    }

    /// A delete of a declared list, at a server that keeps its rows.
    static let archiveRow = rowCall(
        "send", .patch, path: "/notes/7", answer: "{}", result: "deleted",
        takesAnything: true
    ) { list, call, timeout async throws(APIError) in
        _ = try await list.send(call, secret: token, timeout: timeout)
        return "deleted"
    }

    private static func rowCall(
        _ description: String, _ method: HTTPMethod, path: String, answer: String, result: String,
        takesAnything: Bool,
        run:
            @escaping @Sendable (ListClient, RowCall, Duration) async throws(APIError) -> String
    ) -> Call {
        let call = RowCall(
            method: method, path: path, fields: [.init("Content-Type", "application/json")],
            body: Array(#"{"title":"milk"}"#.utf8))
        let fields =
            [.init("User-Agent", userAgent)] + listFields + call.fields
            + [.init("Authorization", "Bearer \(token)")]
        return Call(
            description: description,
            steps: [
                Step(
                    method: method, target: path, fields: fields, body: #"{"title":"milk"}"#,
                    answer: answer)
            ], result: result, takesEmpty: takesAnything, takesAnything: takesAnything
        ) { rig async throws(APIError) in
            try await run(rig.list, call, rig.timeout)
        }
    }

    private static func show(_ page: MoviePage) -> String {
        "\(page.page)/\(page.totalPages) " + page.results.map(\.title).joined(separator: ",")
    }
}
