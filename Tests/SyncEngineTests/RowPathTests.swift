import APIClient
import Declarations
import SyncEngine
import Testing

/// The paths and headers of a write of a declared list, and the values in them.
@Suite struct RowPathTests {
    @Test(arguments: [
        ("7", "/notes/7"), ("a/b", "/notes/a%2Fb"), ("a b?c#d", "/notes/a%20b%3Fc%23d"),
        ("100%", "/notes/100%25"), ("%2e%2e", "/notes/%252e%252e"), ("...", "/notes/..."),
        ("a..b", "/notes/a..b"), ("-._~", "/notes/-._~"), ("\"\r\n", "/notes/%22%0D%0A"),
        ("日本", "/notes/%E6%97%A5%E6%9C%AC"), ("e\u{301}", "/notes/e%CC%81"),
        ("{title}", "/notes/%7Btitle%7D"),
    ])
    func `an id stays one segment of the path`(id: String, path: String) throws {
        #expect(try RowRequestTests.call(.delete, "", id: id).path == path)
    }

    @Test(arguments: [
        (".", "."), ("..", ".."), ("../users/1", ".."), ("a/..", ".."), ("a/./b", "."),
        ("..\\a", ".."), ("/../\u{301}", ".."),
    ])
    func `an id that would lead elsewhere is refused`(id: String, dots: String) {
        #expect(
            RowRequestTests.refusal { try RowRequestTests.call(.delete, "", id: id) }
                == .invalidRequest(
                    "notes: {id} holds \"\(dots)\", and would lead its path elsewhere"))
    }

    @Test func `dots count in the whole segment, and not in a query`() throws {
        let calls = #""delete": {"path": "/n/.{title}{slug}/x?t={title}"}"#
        func path(_ title: String, _ slug: String) throws -> String {
            let values = ["title": "\"\(title)\"", "slug": "\"\(slug)\""]
            return try RowRequestTests.call(.delete, calls, values).path
        }
        #expect(try path("a", "") == "/n/.a/x?t=a")
        #expect(try path("..", "") == "/n/.../x?t=..")
        for (title, slug) in [(".", ""), ("", "."), ("", ""), ("/", "..")] {
            let error = RowRequestTests.refusal {
                try RowRequestTests.call(
                    .delete, calls, ["title": "\"\(title)\"", "slug": "\"\(slug)\""])
            }
            guard case .invalidRequest(let what) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(what.hasPrefix("notes: {title}{slug} holds \"."))
        }
    }

    @Test func `nothing in a segment of its own is another path`() throws {
        let calls = #""delete": {"path": "/n/{title}/?t={title}"}"#
        #expect(
            RowRequestTests.refusal { try RowRequestTests.call(.delete, calls, ["title": #""""#]) }
                == .invalidRequest("notes: {title} is empty, and stands in the path"))
        let query = #""delete": {"path": "/n/?t={title}"}"#
        #expect(try RowRequestTests.call(.delete, query, ["title": #""""#]).path == "/n/?t=")
    }

    @Test(arguments: [
        (#""milk""#, "milk"), ("5", "5"), (" -1.5 ", "-1.5"), ("true", "true"), ("false ", "false"),
        (#""a\u0022\n""#, "a%22%0A"), (#"{"a":1}"#, "%7B%22a%22%3A1%7D"),
    ])
    func `a column's value in a path is its plain text`(value: String, path: String) throws {
        let calls = #""delete": {"path": "/n?t={labels}"}"#
        #expect(try RowRequestTests.call(.delete, calls, ["labels": value]).path == "/n?t=" + path)
    }

    @Test func `a value in a header is as it is`() throws {
        let calls = #""delete": {"headers": {"X-Note": "<{title}>"}}"#
        #expect(
            try RowRequestTests.call(.delete, calls, ["title": #""a\t\"%é""#]).fields == [
                HTTPField("X-Note", "<a\t\"%é>")
            ])
        for control in ["\\r", "\\n", "\\u0000", "\\u007f"] {
            #expect(
                RowRequestTests.refusal {
                    try RowRequestTests.call(.delete, calls, ["title": "\"a\(control)b\""])
                } == .invalidRequest("notes: the header X-Note would hold a control character"))
        }
    }
}
