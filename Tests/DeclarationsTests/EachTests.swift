import Declarations
import Testing
import Text

/// Lists in parts, as they are declared.
@Suite struct EachTests {
    private func declared(
        _ each: String, list: String = "/issues/{issue.number}/comments",
        columns: String = #""issue": "@issue", "body": "text $.body""#, more: String = ""
    ) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "\(list)", "each": \(each), "id": "$.id", "interval": "15m"\(more),
             "columns": {\(columns)}}
            """, name: "comments")
    }

    @Test(arguments: [
        (
            #""issues""#,
            #"each must be an object such as {"issue": "issues"} or {"repo": ["me/garden", "me/house"]}, not "issues""#
        ),
        (
            #"{"changed": ["a"]}"#,
            #"each must be an object such as {"issue": "issues"} or {"repo": ["me/garden", "me/house"]}, not an object"#
        ),
        (#"{"id": "issues"}"#, #"each cannot be about "id""#),
        (
            #"{"issue": 5}"#,
            "each.issue must be the name of a list, or a list of 1 to 100 words, not 5"
        ),
        (
            #"{"issue": ["a/../b"]}"#,
            #"each.issue has "a/../b", which is no part of a path"#
        ),
        (
            #"{"issue": "issues", "whole": "1m"}"#,
            #"each.whole must be a duration from 15m, the interval, to 30d, not "1m""#
        ),
        (
            #"{"issue": "issues", "most": 0}"#,
            "each.most must be a whole number from 1 to 10000, not 0"
        ),
        (#"{"issue": "comments"}"#, "each is about the list itself"),
    ])
    func `what is wrong is said in one sentence`(each: String, sentence: String) {
        do {
            _ = try declared(each)
            Issue.record("it was taken")
        } catch let error as DeclarationError {
            #expect(error.problems.first?.sentence == sentence)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(arguments: [
        ("/comments", "", "each is set, and list has no place for issue"),
        ("/issues/{other}/comments", "", "list has {other}, and each is about issue"),
        (
            "/issues/{issue}/comments/{id}", "",
            "list has {id} or {version}, which are for single rows"
        ),
        ("/issues/{issue/comments", "", "list has a brace without its partner"),
        (
            "/issues/{issue}/comments", #", "since": {"query": "s={since}", "moment": "$.at"}"#,
            "since is set, and each part of the list is read whole"
        ),
        (
            "/issues/{issue}/comments", #", "history": "body""#,
            "history is set, and the list has parts"
        ),
    ])
    func `what does not go together is said`(list: String, more: String, sentence: String) {
        do {
            _ = try declared(#"{"issue": "issues"}"#, list: list, more: more)
            Issue.record("it was taken")
        } catch let error as DeclarationError {
            #expect(error.problems.map(\.sentence).contains(sentence), "\(error.problems)")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a place for a part without each is told, and one in a query is none`() throws {
        for (list, part) in [
            ("/p/{project_id}/tasks", "project_id"), ("/p/{issue.number}", "issue"),
        ] {
            do {
                _ = try declared("null", list: list, columns: #""body": "text $.body""#)
                Issue.record("it was taken")
            } catch let error as DeclarationError {
                #expect(
                    error.problems.map(\.sentence)
                        == ["list has {\(part)}, and each does not say what that is"])
                #expect(
                    error.problems.first?.hint.contains(#""each": {"\#(part)": "LIST"}"#) == true)
            }
        }
        _ = try declared("null", list: "/p?filter={issue}", columns: #""body": "text $.body""#)
    }

    @Test func `an editor can be told where the grammar is`() throws {
        let more = #", "$schema": "https://example.org/list.json""#
        let list = try declared(#"{"issue": "issues"}"#, more: more)
        #expect(try list == declared(#"{"issue": "issues"}"#))
    }

    @Test func `the column of the part has to be there`() {
        #expect(throws: DeclarationError.self) {
            _ = try declared(#"{"issue": "issues"}"#, columns: #""body": "text $.body""#)
        }
    }

    @Test func `a declaration is written as it was read`() throws {
        let list = try declared(
            #"{"issue": "issues", "changed": ["comments", "touched"], "whole": "2d", "most": 7}"#)
        let again = try Declaration.stored(
            String(decoding: list.json().lines, as: UTF8.self), name: "comments")
        #expect(again == list)
        #expect(list.partNames.map(\.description) == ["issue.number"])
        let words = try declared(#"{"issue": ["a/b", "c"]}"#, list: "/x/{issue}/y")
        #expect(
            try Declaration.stored(
                String(decoding: words.json().lines, as: UTF8.self), name: "comments") == words)
    }

    @Test func `a new row is given its part, and calls name it`() throws {
        let list = try declared(
            #"{"issue": "issues"}"#,
            columns: #""issue": "@issue", "body": {"text": "$.body", "write": "both"}"#,
            more: #", "create": true, "update": true, "delete": true, "read": true"#)
        #expect(list.partColumn?.writing == .create)
        #expect(list.calls[.create]?.path.description == "/issues/{issue.number}/comments")
        #expect(list.calls[.delete]?.path.description == "/issues/{issue.number}/comments/{id}")
        #expect(list.read?.path.description == "/issues/{issue.number}/comments/{id}")
        #expect(list.promises.contains { $0.hasPrefix("Each row of issues has a part.") })
    }
}
