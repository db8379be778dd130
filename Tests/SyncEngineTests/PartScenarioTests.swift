import APIClient
import Declarations
import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists below rows: the laws E1 to E9 of `docs/reliability.md`, and what breaks them.
@Suite struct PartScenarioTests {
    @Test func `E1: the rows below each row are one table`() async throws {
        let world = try await PartWorld()
        try await world.sync()
        #expect(
            try await world.comments() == [
                "1|a0|synced", "1|a1|synced", "2|b0|synced", "2|b1|synced",
            ])
        #expect(world.asked == ["GET /lists/issues", "GET /lists/a", "GET /lists/b"])
        #expect(
            try await world.rows(
                "SELECT rows, complete, last_error FROM sync_status WHERE list = 'comments'")
                == ["4|1|-"])
    }

    @Test func `a new row goes into its part, and an edit and a delete find it there`()
        async throws
    {
        let world = try await PartWorld()
        try await world.sync()
        try await world.write(
            """
            INSERT INTO comments (issue, body) VALUES (2, 'new');
            UPDATE comments SET body = 'edited' WHERE body = 'a0';
            DELETE FROM comments WHERE body = 'a1'
            """)
        try await world.sync()
        #expect(world.atServer("a") == [#"{"id":100,"body":"edited"}"#])
        #expect(world.atServer("b").last == #"{"id":1000001,"body":"new"}"#)
        try await world.sync(then: .seconds(120))
        try await world.sync()
        #expect(
            try await world.comments() == [
                "1|edited|synced", "2|b0|synced", "2|b1|synced", "2|new|synced",
            ])
        #expect(try await world.rows("SELECT * FROM outbox") == [])
    }

    @Test func `E9: a comment waits for its issue, which has no part before that`() async throws {
        let world = try await PartWorld()
        try await world.sync()
        try await world.write(
            """
            INSERT INTO issues (name) VALUES ('c'); INSERT INTO comments (issue, body) VALUES (3, 'first')
            """)
        world.world.server.withServer { server in
            var list = ReferenceList(rows: [], paging: .none, size: 1000)
            list.isWritable = true
            server.declaredLists["c"] = list
        }
        try await world.sync("comments")
        #expect(world.atServer("c") == [])
        try await world.sync("issues", "comments", "comments")
        #expect(world.atServer("c").count == 1)
        #expect(try await world.comments().last == "3|first|synced")
    }

    @Test(arguments: [404, 403, 500, 503])
    func `E2: a part that fails hinders no other, and its rows stay`(status: Int) async throws {
        let world = try await PartWorld(issues: 3)
        try await world.sync()
        world.change("b", [])
        world.change("c", [PartWorld.comment(120, "changed")])
        for _ in 0..<3 {
            world.world.server.next(
                "GET /lists/a", .answers(HTTPResponse(status: status, fields: [])))
            try await world.sync()
        }
        let rows = try await world.comments()
        #expect(rows.contains("1|a0|synced") && rows.contains("1|a1|synced"))
        #expect(rows.contains("3|changed|synced"))
        let error = try await world.rows(
            "SELECT last_error FROM sync_status WHERE list = 'comments'")
        #expect(error[0].hasPrefix("1 of 3 parts could not be read: issue 1: "))
        #expect(
            try await world.rows("SELECT part FROM list_parts WHERE error IS NOT NULL") == ["1"])
        // What may have moved to a part that only fails is not gone.
        #expect(rows.contains("2|b0|synced") == (status >= 500))
        try await world.sync()
        #expect(
            try await world.rows("SELECT last_error FROM sync_status WHERE list = 'comments'") == [
                "-"
            ])
    }

    @Test func `E5: a part is read as soon as its row has changed, not when it is due`()
        async throws
    {
        let world = try await PartWorld(each: #""issue": "issues", "changed": ["touched"]"#)
        try await world.sync(then: .seconds(1))
        let question = WriteQuestion(since: nil, asksForWriter: false, asksForWork: true)
        world.change("issues", [PartWorld.issue(1, "a", touched: 1), PartWorld.issue(2, "b")])
        world.change("a", [PartWorld.comment(100, "changed")])
        try await world.sync("issues", then: .seconds(1))
        func sendable() async throws -> [ListName]? {
            try await world.world.store.look(for: question, now: world.world.time.bootTime()).work?
                .sendable
        }
        #expect(try await sendable() == [ListName(kept: "comments")])
        world.world.server.forgetLines()
        try await world.sync("comments", because: .localWrite, then: .zero)
        #expect(world.asked == ["GET /lists/a"])
        #expect(try await sendable() == [])
    }

    @Test func `a person who asks for the whole list gets all of its parts`() async throws {
        let world = try await PartWorld(issues: 5, each: #""issue": "issues", "most": 2"#)
        try await world.sync()
        world.world.server.forgetLines()
        try await world.world.store.wantWhole(of: [ListName(kept: "comments")])
        try await world.sync("comments", because: .asked(acceptsRemovals: false))
        #expect(world.asked.count == 5)
    }

    @Test func `E2: the rows below a row leave in the commit in which it leaves`() async throws {
        let world = try await PartWorld(issues: 3)
        try await world.sync()
        try await world.write(
            """
            INSERT INTO comments (issue, body) VALUES (1, 'late');
            UPDATE comments SET body = 'mine' WHERE body = 'a0'
            """)
        let issues = world.atServer("issues")
        world.change("issues", Array(issues.dropFirst()))
        world.change("a", nil)
        try await world.sync("issues")
        #expect(
            try await world.comments() == [
                "2|b0|synced", "2|b1|synced", "3|c0|synced", "3|c1|synced", "1|late|queued",
            ])
        #expect(
            try await world.rows("SELECT list, field, why, mine FROM conflicts")
                == ["comments|body|gone|mine"])
        #expect(try await world.rows("SELECT part FROM list_parts") == ["2", "3"])
        try await world.sync()
        #expect(
            try await world.rows("SELECT title, state FROM outbox WHERE list = 'comments'").count
                == 1)
        #expect(try await world.comments().last == "1|late|rejected")
    }

    @Test func `E2: a create in doubt is told when no part is left to look in`() async throws {
        let world = try await PartWorld()
        try await world.sync()
        try await world.write("INSERT INTO comments (issue, body) VALUES (1, 'lost')")
        world.world.server.next("POST /lists/a", .losesRequest)
        try await world.sync("comments")
        #expect(try await world.comments().last == "1|lost|in doubt")
        world.change("issues", Array(world.atServer("issues").dropFirst()))
        world.change("a", nil)
        try await world.sync("issues")
        #expect(try await world.comments().last == "1|lost|rejected")
    }

    @Test func `E8: another row under the id of the one above is another one`() async throws {
        let world = try await PartWorld(identity: #", "identity": ["id", "name"]"#)
        try await world.sync()
        world.change("issues", [PartWorld.issue(1, "b"), PartWorld.issue(3, "a")])
        world.change("b", [PartWorld.comment(900, "strange")])
        try await world.sync("issues")
        #expect(try await world.comments() == [])
        try await world.sync("comments")
        #expect(try await world.rows("SELECT body FROM comments WHERE issue = 3") == ["strange"])
    }

    @Test func `E3: as long as the list above is held, nothing below is read`() async throws {
        let world = try await PartWorld(issues: 12)
        try await world.sync()
        world.change("issues", [])
        try await world.sync()
        world.forget()
        let reports = try await world.sync("comments")
        #expect(reports[0].state == .held)
        #expect(world.asked == [])
        #expect(try await world.comments().count == 24)
    }

    @Test func `E4: a row that another part shows has moved, with its number and its edit`()
        async throws
    {
        let world = try await PartWorld()
        try await world.sync()
        try await world.write("UPDATE comments SET body = 'mine' WHERE body = 'a0'")
        world.change("a", [PartWorld.comment(101, "a1")])
        world.change("b", [PartWorld.comment(100, "a0")] + world.atServer("b"))
        try await world.sync(then: .seconds(120))
        #expect(
            try await world.rows("SELECT _id, issue, body FROM comments WHERE _server_id = '100'")
                == ["1|2|mine"])
        try await world.sync()
        #expect(world.atServer("b")[0].contains("mine"))
        #expect(try await world.rows("SELECT * FROM conflicts") == [])
    }

    @Test func `E4: a row that its part lacks is gone when all parts were read twice`()
        async throws
    {
        let world = try await PartWorld()
        try await world.sync()
        world.change("a", [PartWorld.comment(101, "a1")])
        try await world.sync()
        #expect(try await world.comments().count == 4)
        try await world.sync()
        #expect(try await world.comments() == ["1|a1|synced", "2|b0|synced", "2|b1|synced"])
    }

    @Test func `E4: a row in two parts stays where it is, and is told`() async throws {
        let world = try await PartWorld()
        try await world.sync()
        world.change("b", [PartWorld.comment(100, "a0")] + world.atServer("b"))
        for _ in 0..<3 {
            let reports = try await world.sync("comments")
            #expect(reports[0].skipped.count == 1)
            #expect(try await world.comments()[0] == "1|a0|synced")
        }
    }

    /// Only the part that has changed is read at first.
    @Test func `E4: a row that another part shows stays until its own was read, too`() async throws
    {
        let world = try await PartWorld(
            each: #""issue": "issues", "changed": ["touched"], "whole": "1h""#)
        try await world.sync()
        world.change("issues", [PartWorld.issue(1, "a"), PartWorld.issue(2, "b", touched: 1)])
        world.change("b", [PartWorld.comment(100, "a0")] + world.atServer("b"))
        world.forget()
        for _ in 0..<3 {
            try await world.sync()
            #expect(try await world.comments()[0] == "1|a0|synced")
        }
        #expect(world.asked.prefix(2) == ["GET /lists/issues", "GET /lists/b"])
        #expect(world.asked.contains("GET /lists/a"))
    }

    @Test func `E5: a part is read for a change of its row, and after whole in any case`()
        async throws
    {
        let world = try await PartWorld(
            issues: 3, each: #""issue": "issues", "changed": ["touched"], "whole": "1h""#)
        try await world.sync()
        world.forget()
        world.change("c", [PartWorld.comment(120, "silent")])
        world.change("b", [PartWorld.comment(110, "told")])
        world.change(
            "issues",
            [
                PartWorld.issue(1, "a"), PartWorld.issue(2, "b", touched: 1),
                PartWorld.issue(3, "c"),
            ])
        try await world.sync()
        #expect(world.asked == ["GET /lists/issues", "GET /lists/b"])
        world.forget()
        try await world.sync()
        #expect(world.asked == ["GET /lists/issues"])
        #expect(
            try await world.rows("SELECT body FROM comments WHERE issue = 3 ORDER BY _id") == [
                "c0", "c1",
            ])
        world.world.time.advance(by: .seconds(3600))
        try await world.sync()
        #expect(
            try await world.rows("SELECT body FROM comments WHERE issue = 3 ORDER BY _id")
                == ["silent", "c1"])
    }

    @Test func `E6: new parts are all read, and of the others as many as may be`() async throws {
        let world = try await PartWorld(
            issues: 5, each: #""issue": "issues", "most": 2"#)
        try await world.sync()
        #expect(try await world.comments().count == 10)
        world.forget()
        try await world.sync("comments")
        try await world.sync("comments")
        #expect(
            world.asked == ["a", "b", "c", "d"].map { "GET /lists/\($0)" })
    }

    @Test func `E7: a doubt reads its part alone`() async throws {
        let world = try await PartWorld(
            issues: 3, each: #""issue": "issues", "changed": ["touched"]"#)
        try await world.sync()
        try await world.write("INSERT INTO comments (issue, body) VALUES (2, 'lost')")
        world.world.server.next("POST /lists/b", .losesAnswer)
        try await world.sync("comments")
        world.forget()
        try await world.sync("comments")
        #expect(world.asked == ["GET /lists/b"])
        #expect(try await world.comments().last == "2|lost|synced")
        #expect(world.atServer("b").count == 3)
    }

    @Test func `parts of words are all read, and a row says in which it is`() async throws {
        let world = try await PartWorld(
            each: #""issue": ["a", "b"]"#, path: "/lists/{issue}")
        try await world.sync("comments")
        await #expect(throws: (any Error).self) {
            try await world.write("INSERT INTO comments (issue, body) VALUES ('c', 'x')")
        }
        try await world.write("INSERT INTO comments (issue, body) VALUES ('b', 'new')")
        world.change("a", [])
        try await world.sync("comments")
        #expect(world.atServer("b").count == 3)
        try await world.sync("comments")
        #expect(
            try await world.comments() == ["b|b0|synced", "b|b1|synced", "b|new|synced"])
    }

    @Test func `a list that is only read has parts, too`() async throws {
        let world = try await PartWorld(
            issues: 3, calls: #", "search": ["body"]"#,
            body: #"{"text": "$.body", "required": true}"#)
        try await world.sync()
        world.change("a", [PartWorld.comment(100, "changed"), PartWorld.comment(111, "b1")])
        world.change("b", [PartWorld.comment(110, "b0")])
        try await world.sync()
        let shown = "SELECT issue, body FROM comments ORDER BY _id"
        #expect(
            try await world.rows(shown) == ["1|changed", "1|a1", "2|b0", "1|b1", "3|c0", "3|c1"])
        try await world.sync()
        #expect(try await world.rows(shown) == ["1|changed", "2|b0", "1|b1", "3|c0", "3|c1"])
        world.change("issues", Array(world.atServer("issues").dropLast()))
        try await world.sync("issues")
        #expect(try await world.rows(shown) == ["1|changed", "2|b0", "1|b1"])
        #expect(
            try await world.rows(
                "SELECT count(*) FROM comments_search WHERE comments_search MATCH 'c0'")
                == ["0"])
    }

    @Test func `E8: a round that would empty more than half of ten parts is held`() async throws {
        let world = try await PartWorld(issues: 12)
        // The other parts have most of the rows: of rows alone, so many may leave.
        for index in 7..<12 {
            let more = (0..<8).map { PartWorld.comment(1000 + index * 10 + $0, "more") }
            world.change(PartWorld.name(index), world.atServer(PartWorld.name(index)) + more)
        }
        try await world.sync()
        for index in 0..<7 { world.change(PartWorld.name(index), []) }
        try await world.sync()
        let reports = try await world.sync()
        #expect(reports[1].state == .held)
        #expect(try await world.comments().count == 64)
        try await world.sync()
        try await world.sync()
        #expect(try await world.comments().count == 50)
    }
}
