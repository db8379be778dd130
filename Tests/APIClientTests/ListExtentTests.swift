import APIClient
import APIClientTesting
import Testing

/// What the header of a list tells of rows that are not in it.
@Suite struct ListExtentTests {
    private func extent(_ fields: [HTTPField]) async throws -> ListExtent? {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json("[]", fields: fields))
        let answer = try await TodosClient(transport: mock)
            .pullTodos(token: "t", validators: nil)
        guard case .body(_, _, let extent) = answer else { return nil }
        return extent
    }

    @Test func `D5: a header without a word about it tells nothing`() async throws {
        #expect(try await extent([]) == .untold)
        #expect(
            try await extent([HTTPField("X-Total", "7"), HTTPField("Range", "items 0-4/7")])
                == .untold)
    }

    /// A cache tells whole seconds, rounded down.
    @Test(arguments: [
        ("0", 0), ("1", 2), ("60", 61), ("a", 0), ("-1", 0), ("999999999", 31_622_401),
    ])
    func `an answer is at most a second older than a cache tells`(value: String, age: Int64)
        async throws
    {
        #expect(try await extent([HTTPField("Age", value)])?.age == age)
    }

    @Test(arguments: [
        ("8", 8 as Int64?), (" 8\t", 8), ("0", 0), ("007", 7),
        ("999999999999999", 999_999_999_999_999), ("9999999999999999", nil), ("", nil), ("-1", nil),
        ("+8", nil), ("8.0", nil), ("eight", nil), ("8, 8", nil), ("\u{0668}", nil),
    ])
    func `D5: X-Total-Count tells how many rows there are, in at most 15 digits`(
        value: String, total: Int64?
    ) async throws {
        #expect(
            try await extent([HTTPField("x-total-COUNT", value)])
                == ListExtent(total: total, next: nil))
    }

    @Test(arguments: [
        ("items 0-24/319", 319 as Int64?), ("todos */5", 5), ("0-4/8", 8), ("/3", 3),
        ("items 0-24/*", nil), ("items 0-24", nil), ("items 0-24/", nil), ("8", nil), ("", nil),
        ("items 0-24/3a", nil), ("a/b/9", 9),
    ])
    func `D5: Content-Range tells it behind its slash`(
        value: String, total: Int64?
    ) async throws {
        #expect(
            try await extent([HTTPField("Content-Range", value)])
                == ListExtent(total: total, next: nil))
    }

    @Test(arguments: ["0-24/319", "items 25-49/319", "*/319"])
    func `a part that is a page of so many rows is one: PostgREST answers 206`(value: String)
        async throws
    {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(
            .get, "/todos", .json("[]", status: 206, fields: [HTTPField("Content-Range", value)]))
        let answer = try await TodosClient(transport: mock).pullTodos(token: "t", validators: nil)
        guard case .body(_, _, let extent) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(extent == ListExtent(total: 319, next: nil))
    }

    @Test(arguments: [
        ["bytes 0-1/9"], ["Bytes 0-1/9"], ["items 0-24/*"], ["items 0-24"], [], ["0-1/9", "0-1/9"],
    ])
    func `a part of bytes, or of nobody knows how many rows, is refused`(values: [String]) async {
        let mock = MockTransport { Issue.record("\($0)") }
        let fields = values.map { HTTPField("Content-Range", $0) }
        mock.on(.get, "/todos", .json("[]", status: 206, fields: fields))
        do {
            let answer = try await TodosClient(transport: mock)
                .pullTodos(token: "t", validators: nil)
            Issue.record("\(answer)")
        } catch {
            guard case .status(let failure) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.code == 206)
        }
    }

    @Test func `D5: of several totals the largest counts`() async throws {
        let fields = [
            HTTPField("X-Total-Count", "5"), HTTPField("X-Total-Count", "9"),
            HTTPField("Content-Range", "items 0-4/8"),
        ]
        #expect(try await extent(fields) == ListExtent(total: 9, next: nil))
        #expect(try await extent(fields.reversed()) == ListExtent(total: 9, next: nil))
        let odd = [HTTPField("X-Total-Count", "many"), HTTPField("Content-Range", "items 0-4/8")]
        #expect(try await extent(odd) == ListExtent(total: 8, next: nil))
    }

    @Test(arguments: [
        (#"<http://a/todos?page=2>; rel="next""#, "http://a/todos?page=2" as String?),
        ("</todos?page=2>; rel=next", "/todos?page=2"), ("<x>;rel=NEXT", "x"),
        (#"<x> ; REL = "prev next""#, "x"), (#"<x>; rel="last", "#, nil),
        (#"<x>; rel="first", <y>; title="a"; rel="next""#, "y"), ("<x>; rel=next, <y>", "x"),
        (#"<a;rel=next>; rel="prev""#, nil), (#"<x>; rel="nextcloud""#, nil), ("<x>", nil),
        (#"<x>; title="next""#, nil), (#"<x>; rel=""#, nil), ("<x; rel=next", nil),
        ("rel=next", nil), ("", nil), ("<>", nil), ("><", nil),
    ])
    func `D5: a Link names a next page by its relation`(value: String, next: String?) async throws {
        #expect(try await extent([HTTPField("link", value)]) == ListExtent(total: nil, next: next))
    }

    @Test func `D5: one Link of several is enough, beside a total`() async throws {
        let fields = [
            HTTPField("Link", "<a>; rel=prev"), HTTPField("Link", "<b>; rel=next"),
            HTTPField("X-Total-Count", "8"),
        ]
        #expect(try await extent(fields) == ListExtent(total: 8, next: "b"))
    }
}
