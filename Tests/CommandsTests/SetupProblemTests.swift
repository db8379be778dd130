import APIClient
import CommandLine
import Commands
import Configuration
import Testing

/// Why an answer of `setup` is not taken, and what may be done about it.
@Suite struct SetupProblemTests {
    private static func status(_ code: Int) -> APIError {
        .status(StatusFailure(code: code, reason: nil, retryAfter: nil))
    }

    @Test(arguments: [
        APIError.transport(.cannotConnect("refused")), .transport(.timedOut(mayHaveArrived: true)),
        .transport(.interrupted("reset", mayHaveArrived: false)), status(408), status(429),
        status(500), status(503),
    ])
    func `an answer may be kept where the server is away`(error: APIError) {
        let problem = SetupProblem(error)
        #expect(problem.isServerAway && !problem.isRefusal)
        #expect(problem.sentence == error.description && problem.hint == error.hint)
    }

    @Test(arguments: [400, 401, 403, 422])
    func `a refusal may be mended by an account, and names no file`(code: Int) {
        let problem = SetupProblem(Self.status(code))
        #expect(problem.isRefusal && !problem.isServerAway)
        #expect(problem.hint == "")
    }

    @Test(arguments: [
        status(404), status(407), .emptyData, .malformed("it is a page"),
        .redirectRefused("elsewhere"), .transport(.untrusted("expired")), .transport(.notHTTP("x")),
    ])
    func `anything else is neither`(error: APIError) {
        let problem = SetupProblem(error)
        #expect(!problem.isServerAway && !problem.isRefusal)
        #expect(problem.hint == error.hint)
    }

    @Test func `a value that is in no file yet is told without a place, and once`() {
        let error = #expect(throws: ConfigurationError.self) {
            try Settings(
                Array(#"{"todos": {"email": "nobody"}}"#.utf8), path: "/c.json",
                environment: ["HOME": "/home/somebody"])
        }
        let problem = error.map { SetupProblem($0) }
        #expect(problem?.sentence.hasPrefix("todos.email must be 3 to 254 bytes") == true)
        #expect(problem?.hint == "" && problem?.status == .configuration)
    }
}
