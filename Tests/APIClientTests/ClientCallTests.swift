import APIClient
import APIClientTesting
import Testing

/// What every call of both clients does with every kind of answer.
@Suite struct ClientCallTests {
    private func run(_ call: ClientCall, _ answer: MockAnswer) async throws(APIError) -> String {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(call.method, call.target, answer)
        let result: Result<String, APIError>
        do {
            result = .success(try await call.run(mock))
        } catch {
            result = .failure(error)
        }
        #expect(mock.requests.count == 1)
        return try result.get()
    }

    private func error(of call: ClientCall, _ answer: MockAnswer) async -> APIError? {
        do {
            _ = try await run(call, answer)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ClientCall.all)
    func `a valid answer is read`(call: ClientCall) async throws {
        #expect(try await run(call, .json(call.valid)) == call.result)
        #expect(try await run(call, .json(call.valid, status: 201)) == call.result)
    }

    @Test(
        arguments: ClientCall.all,
        [0, 101, 199, 300, 304, 400, 401, 404, 410, 429, 500, 503, 599, 999])
    func `a bad status is an error that carries it`(call: ClientCall, status: Int) async {
        let answer = MockAnswer.json(#"{"error":true,"reason":"No."}"#, status: status)
        let url = call.target.prefix { $0 != "?" }
        let host =
            call.target.hasPrefix("/3") ? "https://api.themoviedb.org" : "http://localhost:8080"
        #expect(
            await error(of: call, answer)
                == .status(
                    StatusFailure(
                        code: status, reason: "No.", retryAfter: nil,
                        endpoint: "\(call.method.rawValue) \(host)\(url)")))
    }

    @Test(arguments: ClientCall.all)
    func `a 429 carries how long to wait, in both forms`(call: ClientCall) async {
        let seconds = [HTTPField("Retry-After", "5")]
        #expect(await error(of: call, .status(429, fields: seconds))?.retryAfter == .seconds(5))
        let date = [
            HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            HTTPField("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"),
        ]
        #expect(await error(of: call, .status(429, fields: date))?.retryAfter == .seconds(30))
        #expect(await error(of: call, .status(429))?.retryAfter == nil)
    }

    @Test(
        arguments: ClientCall.all,
        ["{{}", "{", "null", "3", "<html>", #"{"error":true}"#, "[1,]", "[{}]"])
    func `data of another shape is malformed, unless the caller wants bytes`(
        call: ClientCall, body: String
    ) async throws {
        let error = await error(of: call, .json(body))
        let isTaken = call.takesAnything ? body != "<html>" : call.isRaw && body != "[1,]"
        if isTaken {
            #expect(error == nil)
        } else if case .malformed = error {
        } else {
            Issue.record("\(String(describing: error))")
        }
    }

    @Test(
        arguments: ClientCall.all,
        [
            [0x22, 0xFF, 0x22], [0x22, 0x00, 0x22], [0xEF, 0xBB, 0xBF, 0x5B, 0x5D],
            Array(#"{"id":1,"id":2,"title":"a"}"#.utf8), Array(repeating: 0x5B, count: 65),
        ] as [[UInt8]])
    func `bytes that readers would read differently are malformed for every call`(
        call: ClientCall, body: [UInt8]
    ) async {
        let answer = MockAnswer.response(HTTPResponse(status: 200, body: body))
        let error = await error(of: call, answer)
        if call.takesAnything {
            #expect(error == nil)
        } else if case .malformed = error {
        } else {
            Issue.record("not refused")
        }
    }

    @Test(arguments: ClientCall.all)
    func `empty data is an error where data is due`(call: ClientCall) async {
        let answers: [MockAnswer] = [
            .status(200), .status(204), .status(205), .json(call.valid, status: 204),
            .json(call.valid, status: 205),
        ]
        for answer in answers {
            #expect(await error(of: call, answer) == (call.takesEmpty ? nil : .emptyData))
        }
    }

    @Test(arguments: ClientCall.all)
    func `a part of an answer is refused for a GET`(call: ClientCall) async {
        let error = await error(of: call, .json(call.valid, status: 206))
        if call.method == .get {
            guard case .status(let failure) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.code == 206)
        } else {
            #expect(error == nil)
        }
    }

    @Test(arguments: ClientCall.all, ["gzip", "br", "zstd", "x\u{1B}[2J"])
    func `an encoding that nobody decoded is refused`(call: ClientCall, coding: String) async {
        let field = HTTPField("content-encoding", coding)
        let error = await error(of: call, .json(call.valid, fields: [field]))
        if call.takesAnything {
            #expect(error == nil)
        } else if case .malformed(let what) = error {
            #expect(!what.contains("\u{1B}"))
        } else {
            Issue.record("not refused")
        }
        let none = HTTPField("Content-Encoding", "Identity")
        #expect(await self.error(of: call, .json(call.valid, fields: [none])) == nil)
    }

    @Test(
        arguments: ClientCall.all,
        [
            TransportError.invalidRequest("x"), .cannotConnect("x"), .untrusted("x"),
            .timedOut(mayHaveArrived: true), .timedOut(mayHaveArrived: false),
            .interrupted("x", mayHaveArrived: true), .interrupted("x", mayHaveArrived: false),
            .notHTTP("x"), .bodyTooLarge(limit: 5), .headerTooLarge(limit: 5),
            .cancelled(mayHaveArrived: true),
        ])
    func `a failure of the network keeps what is known about the request`(
        call: ClientCall, failure: TransportError
    ) async {
        let error = await error(of: call, .failure(failure))
        #expect(error == .transport(failure))
        #expect(error?.mayHaveArrived == failure.mayHaveArrived)
    }
}
