import Declarations
import Testing
import Text

/// Lists of which only changes are asked for, as they are declared.
@Suite struct SinceTests {
    private func declared(
        _ since: String, list: String = "/notes", more: String = ""
    ) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "\(list)", "id": "$.id", "interval": "15m", "since": \(since)\(more),
             "columns": {"title": \(more.isEmpty ? "\"text $.title\"" : #"{"text": "$.title", "write": "create"}"#)}}
            """, name: "notes")
    }

    @Test func `a list that is only read may say beside it how a row is read`() throws {
        let declaration = try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "since": {"query": "since={since}", "moment": "$.at"},
             "read": true, "columns": {"title": "text $.title"}}
            """, name: "notes")
        #expect(declaration.isReadOnly && declaration.read != nil)
    }

    @Test(arguments: [
        (
            #""updated_at""#,
            #"since must be an object such as {"query": "since={since}", "moment": "$.updated_at"}, not "updated_at""#
        ),
        (#"{"moment": "$.at"}"#, "since.query is not set"),
        (#"{"query": "since={since}"}"#, "since.moment is not set"),
        (
            #"{"query": "since=1", "moment": "$.at"}"#,
            #"since.query must be parameters of a query with {since} in it, such as updated_after={since}, not "since=1""#
        ),
        (
            #"{"query": "a={since}", "moment": "header a b"}"#,
            #"since.moment must be a path such as $.updated_at, "answer $.token" or "header ETag", not "header a b""#
        ),
        (
            #"{"query": "a={since}", "moment": "$.at", "whole": "1m"}"#,
            #"since.whole must be a duration from 15m, the interval, to 30d, not "1m""#
        ),
        (
            #"{"query": "a={since}", "moment": "$.at", "deleted": {"$.a": null}}"#,
            #"since.deleted must be a path such as $.deleted, or {"$.status": "cancelled"}, not an object"#
        ),
        (
            #"{"query": "a={since}", "moment": "header ETag", "form": "seconds"}"#,
            "since.form is set, and since.moment is a text of the server's own"
        ),
        (
            #"{"query": "a={since}", "moment": "$.at", "form": "days"}"#,
            #"since.form must be seconds or milliseconds, not "days""#
        ),
        (
            #"{"query": "a={since}", "moment": "$.at", "gone": "$.x"}"#,
            #"the key "since.gone" is not known"#
        ),
    ])
    func `what is wrong is said in one sentence`(since: String, sentence: String) {
        do {
            _ = try declared(since)
            Issue.record("it was taken")
        } catch let error as DeclarationError {
            #expect(error.problems.map(\.sentence) == [sentence])
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(arguments: [
        #"{"query": "since={since}", "moment": "$.updated_at"}"#,
        #"{"query": "_since={since}", "moment": "header ETag", "deleted": "$.deleted"}"#,
        #"{"query": "syncToken={since}", "moment": "answer $.nextSyncToken", "deleted": {"$.status": "cancelled"}, "whole": "7d"}"#,
        #"{"query": "changed_after={since}", "moment": "$.changed_at", "form": "seconds", "deleted": {"$.state": 3}}"#,
        #"{"query": "a={since}&b=1", "moment": "$.at", "deleted": {"$.gone": true}, "whole": "15m"}"#,
    ])
    func `it is written as it was read`(since: String) throws {
        let declaration = try declared(since)
        let text = String(decoding: declaration.json().lines, as: UTF8.self)
        #expect(try Declaration.stored(text, name: "notes") == declaration)
        #expect(declaration.since != nil)
    }

    @Test(arguments: [
        ("/notes", "since={since}", "/notes?since=M"),
        ("/notes?state=all", "since={since}", "/notes?state=all&since=M"),
        ("/notes?since=never&a=1", "since={since}", "/notes?since=M&a=1"),
        (
            "/issues?status_id=open", "updated_on=>={since}&status_id=*",
            "/issues?status_id=*&updated_on=>=M"
        ),
        ("/r?filter=x&filter=y", "filter=(updated>='{since}')", "/r?filter=(updated>='M')"),
        ("/r", "a={since}&b={since}-{since}", "/r?a=M&b=M-M"),
    ])
    func `a parameter stands in the place of one of its name`(
        list: String, query: String, asked: String
    ) throws {
        let since = try #require(
            try declared(#"{"query": "\#(query)", "moment": "$.at"}"#).since)
        #expect(since.query(of: list, from: "M") == asked)
    }

    @Test func `what is promised says what increments cannot show`() throws {
        let declaration = try declared(
            #"{"query": "since={since}", "moment": "$.updated_at"}"#,
            list: "/notes?state=open&sort=updated&direction=desc",
            more: #", "create": true, "delete": true"#)
        #expect(
            declaration.promises.contains(
                "A row that `state=open` does not keep any more is shown by no increment, and stays until the next whole list: ask for all rows, and write WHERE."
            ))
        #expect(
            declaration.promises.contains(
                "The list shows the newest first. A row that changes while pages are read can be skipped, so let the server sort by id."
            ))
        #expect(
            declaration.promises.contains {
                $0.hasPrefix("Only what has changed is asked for, and the whole list once a day:")
            })
    }
}
