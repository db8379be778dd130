import APIClient
import ReferenceAPI
import Testing

@Suite struct MiddleboxTests {
    private func request(_ method: HTTPMethod, _ target: String) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: Origin(scheme: "http", host: "localhost", port: 8080),
            target: target, fields: [HTTPField("If-None-Match", "x")], timeout: .seconds(1),
            maxBodyBytes: 1)
    }

    private func faults(
        _ habits: [MiddleboxHabit], _ requests: [(HTTPMethod, String)], seed: UInt64 = 1,
        seconds: [Int64]? = nil
    ) -> [MiddleboxFault?] {
        var box = Middlebox(habits, seed: seed)
        return requests.enumerated().map { index, request in
            box.fault(for: self.request(request.0, request.1), at: seconds?[index] ?? 0)
        }
    }

    @Test func `each fault meets the requests that it is about, and nothing but todos`() {
        let all: [(HTTPMethod, String)] = [
            (.get, "/todos?page=2"), (.post, "/todos"), (.delete, "/todos/1"), (.post, "/login"),
            (.get, "/3/movie/upcoming"), (.get, "/todosx"),
        ]
        let expected: [MiddleboxFault: Set<Int>] = [
            .emptyList: [0], .cutList: [0], .redirect: [1, 2], .forbidden: [0, 1, 2],
            .notFound: [2], .conflict: [1], .gone: [2], .tooMany: [0, 1, 2],
            .unavailable: [0, 1, 2],
        ]
        #expect(Set(expected.keys) == Set(MiddleboxFault.allCases))
        for (fault, met) in expected {
            let habit = MiddleboxHabit(fault, rate: 1, span: .forGood)
            let found = faults([habit], all)
            #expect(Set(found.indices.filter { found[$0] == fault }) == met, "\(fault)")
        }
    }

    @Test(arguments: [
        (MiddleboxHabit.Span.requests(1), [true, false, true, false, true, false]),
        (.requests(2), [true, true, false, true, true, false]),
        (.seconds(3), [true, true, true, false, true, true]),
        (.forGood, [true, true, true, true, true, true]),
    ])
    func `after a wrong list, however long, the next one is right`(
        span: MiddleboxHabit.Span, expected: [Bool]
    ) {
        let habits = [
            MiddleboxHabit(.emptyList, rate: 1, span: span),
            MiddleboxHabit(.cutList, rate: 1, span: span),
        ]
        let lists = Array(repeating: (HTTPMethod.get, "/todos"), count: 6)
        let found = faults(habits, lists, seconds: [0, 1, 2, 3, 4, 5])
        #expect(found.map { $0 != nil } == expected)
    }

    @Test func `what comes between does not make a list right`() {
        let habits = [
            MiddleboxHabit(.emptyList, rate: 1, span: .requests(1)),
            MiddleboxHabit(.conflict, rate: 1, span: .requests(1)),
        ]
        let requests: [(HTTPMethod, String)] = [
            (.get, "/todos"), (.post, "/todos"), (.delete, "/todos/1"), (.get, "/todos"),
            (.get, "/todos"),
        ]
        #expect(faults(habits, requests) == [.emptyList, .conflict, nil, nil, .emptyList])
    }

    @Test func `a refusal lasts for its seconds, and seed and rate alone decide when`() throws {
        let habit = MiddleboxHabit(.forbidden, rate: 0.2, span: .seconds(2))
        let posts = Array(repeating: (HTTPMethod.post, "/todos"), count: 300)
        let seconds = (0..<300).map { Int64($0 / 2) }
        let found = faults([habit], posts, seconds: seconds)
        #expect(found == faults([habit], posts, seconds: seconds))
        #expect(found != faults([habit], posts, seed: 2, seconds: seconds))
        let first = try #require(found.firstIndex(of: .forbidden))
        let met = seconds.indices.filter { (0..<2).contains(seconds[$0] - seconds[first]) }
        #expect(met.filter { $0 >= first }.allSatisfy { found[$0] == .forbidden })
        #expect(found[first...].contains(nil), "it ends")
    }

    @Test func `another rate leaves the choices of the others as they were`() {
        let habit = MiddleboxHabit(.forbidden, rate: 0.2, span: .requests(1))
        let posts = Array(repeating: (HTTPMethod.post, "/todos"), count: 100)
        let never = MiddleboxHabit(.gone, rate: 0, span: .forGood)
        let always = MiddleboxHabit(.gone, rate: 1, span: .forGood)
        #expect(faults([never, habit], posts) == faults([always, habit], posts))
    }

    @Test func `a fault can be begun by hand`() {
        var box = Middlebox([], seed: 1)
        box.begin(.notFound, lasts: .requests(1), at: 0)
        #expect(box.fault(for: request(.get, "/todos"), at: 0) == nil)
        #expect(box.fault(for: request(.delete, "/todos/1"), at: 0) == .notFound)
        #expect(box.fault(for: request(.delete, "/todos/1"), at: 0) == nil)
    }

    @Test(arguments: [
        ("[]", "[]"), ("[1]", "[]"), ("[1,2]", "[1]"), ("[1,2,3]", "[1]"),
        (#"[{"id":1,"title":"a,]\""},{"id":[2,3]}]"#, #"[{"id":1,"title":"a,]\""}]"#),
        (#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, #"[{"id":1},{"id":2}]"#),
        (#"{"id":1}"#, #"{"id":1}"#), ("", ""), ("[1,2", "[1,2"),
    ])
    func `a list is cut to the first half of its rows`(whole: String, cut: String) {
        let answer = MiddleboxFault.cutList.answer(request(.get, "/todos")) { request in
            #expect(request.fields.isEmpty, "it asks without conditions")
            return HTTPResponse(
                status: 200, fields: [HTTPField("ETag", "t")], body: Array(whole.utf8))
        }
        #expect(answer.text == cut)
    }

    @Test func `an answer that is no list is not cut`() {
        let refused = HTTPResponse(status: 401, body: Array("[1,2]".utf8))
        #expect(MiddleboxFault.cutList.answer(request(.get, "/todos")) { _ in refused } == refused)
    }

    @Test(arguments: MiddleboxFault.allCases)
    func `what a middlebox answers of its own does not reach the server`(fault: MiddleboxFault) {
        guard fault != .cutList else { return }
        let answer = fault.answer(request(.delete, "/todos/1")) { _ in
            Issue.record("the server was asked")
            return HTTPResponse(status: 200)
        }
        #expect(answer.status == Int(fault.rawValue) ?? 200)
        #expect(answer.value(of: "ETag") == nil)
        #expect((answer.text == "[]") == (fault == .emptyList))
        #expect((answer.value(of: "Location") != nil) == (fault == .redirect))
    }
}
