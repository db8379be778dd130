import APIClient
import APIClientTesting
import Testing

@Suite struct MalformedAnswerTests {
    private func error(_ body: String, _ run: (TodosClient) async throws(APIError) -> Void) async
        -> APIError?
    {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json(body))
        mock.on(.post, "/todos", .json(body))
        mock.on(.post, "/login", .json(body))
        mock.on(.delete, "/todos/7", .json(body))
        do {
            try await run(TodosClient(transport: mock))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{{}", "it is not valid JSON"), ("[1", "it is not valid JSON"),
        ("[]x", "it is not valid JSON"),
        ("{}", "the answer: expected a list"), ("null", "the answer: expected a list, found null"),
        (#"[{"id":1}]"#, "[0].title: missing"),
        (#"[{"id":1,"title":"a"},{"title":"a"}]"#, "[1].id: missing"),
        (#"[{"id":null,"title":"a"}]"#, "[0].id: missing"),
        (#"[{"id":1,"title":null}]"#, "[0].title: expected a text, found null"),
        (#"[{"id":1,"title":7}]"#, "[0].title: expected a text"),
        (
            #"[{"id":[],"title":"canary"}]"#,
            "[0].id: expected an integer or a text of 1 to 200 bytes"
        ),
        (#"[7]"#, "[0]: expected an object"),
        (#"[{"id":1,"id":1,"title":"a"}]"#, #"an object has a second "id" at byte 9"#),
    ])
    func `a list says where it is wrong and what is due there`(body: String, what: String) async {
        let error = await error(body) { client async throws(APIError) in
            _ = try await client.todos(token: "t")
        }
        #expect(error == .malformed(what))
    }

    @Test func `movies say where in their page`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        let body =
            #"{"page":1,"total_pages":1,"total_results":1,"results":[{"id":1,"title":"T","vote_average":"canary"}]}"#
        mock.on(.get, "/3/movie/upcoming?page=1", .json(body))
        await #expect(throws: APIError.malformed("results[0].vote_average: expected a number")) {
            try await MoviesClient(credential: .bearer("t"), transport: mock).upcomingMovies(
                page: 1)
        }
    }

    @Test(arguments: [#"{"string":""}"#, #"{"string":"a\r\nX: y"}"#, #"{"string":7}"#, "{}", "[]"])
    func `a login without a usable token is malformed`(body: String) async {
        let error = await error(body) { client async throws(APIError) in
            _ = try await client.login(email: "e", password: "p")
        }
        guard case .malformed(let what) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!what.contains("X:"))
    }

    @Test(arguments: [
        "", "{}", #"{"ok":true}"#, #"{"message":"deleted"}"#, #"{"id":8,"title":"a"}"#, "[]",
        "null", "gone", #""7""#, "{}extra", "\u{0}", "a<html>",
    ])
    func `D10: a delete that any success answers is done, whatever its body`(body: String) async {
        #expect(await deleteError(body) == nil)
    }

    @Test(arguments: [
        "<html>", "<!DOCTYPE html><p>Log in", " \r\n\t<p>", "\u{FEFF}<html>", "<",
    ])
    func `D7: a delete that a page of HTML answers with a success is malformed`(body: String) async
    {
        let error = await deleteError(body)
        #expect(error == .malformed("expected an answer to a write, found a page of HTML"))
        #expect(error?.mayHaveArrived == true)
    }

    private func deleteError(_ body: String) async -> APIError? {
        await error(body) { client async throws(APIError) in
            try await client.deleteTodo(ServerID(7), token: "t", timeout: .seconds(1))
        }
    }

    @Test(arguments: [#"{"title":"a"}"#, #"{"id":null,"title":"a"}"#])
    func `a create that is answered without an id is malformed`(body: String) async {
        let error = await error(body) { client async throws(APIError) in
            _ = try await client.createTodo(
                title: "a", idempotencyKey: nil, token: "t", timeout: .seconds(1))
        }
        #expect(error == .malformed("id: missing"))
    }

    @Test func `every error has a description and one sentence of what to do`() {
        let transport: [TransportError] = [
            .invalidRequest("x"), .cannotConnect("x"), .untrusted("x"),
            .timedOut(mayHaveArrived: true),
            .timedOut(mayHaveArrived: false), .interrupted("x", mayHaveArrived: true),
            .notHTTP("x"),
            .bodyTooLarge(limit: 1), .headerTooLarge(limit: 1), .cancelled(mayHaveArrived: false),
        ]
        let codes = [0, 206, 304, 401, 403, 404, 405, 407, 410, 418, 429, 500, 999]
        let errors =
            transport.map(APIError.transport)
            + codes.map { .status(StatusFailure(code: $0, reason: "x", retryAfter: nil)) }
            + [
                .invalidRequest("x"), .bodyNotEncodable("x"), .emptyData, .malformed("x"),
                .redirectRefused("x"), .tokenStore("x"),
            ]
        for error in errors {
            #expect(!error.description.isEmpty && error.hint.hasSuffix("."), "\(error)")
        }
        #expect(
            StatusFailure(code: 404, reason: "No", retryAfter: nil, endpoint: "GET http://a/b")
                .description
                == "GET http://a/b was answered 404: No")
    }
}
