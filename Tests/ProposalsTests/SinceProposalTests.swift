import APIClient
import Declarations
import Proposals
import ReferenceAPI
import Testing
import Text

/// How only changes are asked for: proposed if fewer rows come, each from the moment on, and none from a far one on.
@Suite struct SinceProposalTests {
    @Test(arguments: [
        "since", "updated_since", "updated_after", "modified_after", "changed_after",
        "updated_at__gte",
    ])
    func `a parameter is believed if it shows fewer rows, and none from a far moment on`(
        parameter: String
    ) throws {
        var stand = SinceStand(SinceStand.rows(6), parameter: parameter)
        let proposal = try stand.proposal()
        #expect(
            proposal.value("since")
                == #"{"query":"\#(parameter)={since}","moment":"$.updated_at"}"#)
        #expect(
            proposal.evidence("since").hasPrefix(
                "\(parameter)={since} and $.updated_at: from 2026-11-10T03:00:00Z on, 3 of 6 rows came,"
                    + " none of them older, and from 2199-11-10T05:00:00Z on, none"))
        #expect(proposal.value("read") == "true")
        #expect(proposal.evidence("read") == "/lists/notes/{id} shows the row with the id 1 alone")
        let declaration = try proposal.read().declaration
        #expect(declaration.since?.query == "\(parameter)={since}")
        #expect(declaration.list == SinceStand.target)
        #expect(stand.asked.count <= SinceSearch.mostQuestions + 1)
    }

    @Test func `a server that ignores all parameters is found out by two requests, and told`()
        throws
    {
        var stand = SinceStand(SinceStand.rows(6), parameter: nil)
        let proposal = try stand.proposal()
        #expect(proposal.value("since") == nil)
        #expect(proposal.value("read") == nil)
        #expect(
            proposal.evidence("since").hasPrefix(
                "left out: the server shows no way to ask for what has changed since a moment, such as"
                    + " $.updated_at. Tried in vain: since, updated_since, updated_after and 8 more (ignored by the server)"
            ))
        #expect(stand.asked.count == 2)
        #expect(stand.asked[0].contains("since=2026-11-10T03%3A00%3A00Z&updated_since="))
        // Also if it has pages, and shows the first one.
        stand = SinceStand(
            SinceStand.rows(6), parameter: "since", paging: .link, size: 4, lie: .ignored)
        #expect(try stand.proposal().value("since") == nil)
    }

    @Test func `a server that shows no change, or calls each mark too old, is not believed`() throws
    {
        for (lie, why) in [
            (.empty, "since, since in seconds (no row comes, though 2 have changed since then)"),
            (.gone, "since, since in seconds (the server answers 400)"),
        ] as [(ReferenceList.Increments.Lie, String)] {
            var stand = SinceStand(SinceStand.rows(6), parameter: "since", lie: lie)
            let proposal = try stand.proposal()
            #expect(proposal.value("since") == nil)
            #expect(proposal.evidence("since").contains(why), "\(proposal.evidence("since"))")
        }
        // It refuses whatever it does not know, each time.
        var stand = SinceStand(SinceStand.rows(6), parameter: nil)
        stand.unkindness = { $0.contains("?") ? SinceStand.answer("{}", 400) : nil }
        let proposal = try stand.proposal()
        #expect(proposal.value("since") == nil)
        #expect(
            proposal.evidence("since").contains(
                "since, updated_since, updated_after and 8 more (the server answers 400)"))
        #expect(stand.asked.count <= SinceSearch.mostQuestions)
    }

    @Test func `one that shows rows also from a far moment on is not believed`() throws {
        let rows = SinceStand.rows(6)
        var stand = SinceStand(rows, parameter: nil)
        // Always the last ones, whatever is asked for.
        stand.unkindness = { target in
            guard target.contains("?") else { return nil }
            return SinceStand.answer("[\(rows[2...4].joined(separator: ","))]")
        }
        let proposal = try stand.proposal()
        #expect(proposal.value("since") == nil)
        #expect(
            proposal.evidence("since").contains("(rows come from 2199-11-10T05:00:00Z on, too)"),
            "\(proposal.evidence("since"))")
    }

    @Test func `one that leaves out rows that have changed is not believed`() throws {
        let rows = SinceStand.rows(6)
        var stand = SinceStand(rows, parameter: nil)
        // It means the moment at which a row was made: an edited row is missing.
        stand.unkindness = { target in
            guard target.contains("?") else { return nil }
            return SinceStand.answer(target.contains("2199") ? "[]" : "[\(rows[3])]")
        }
        let proposal = try stand.proposal()
        #expect(proposal.value("since") == nil)
        #expect(
            proposal.evidence("since").contains(
                "(rows are missing that have changed since then)"))
    }

    @Test func `a full page of changes is asked for again from a later moment`() throws {
        // The first page has the oldest rows, and the next ones are all later.
        let rows = SinceStand.rows(40).map { $0 }
        var stand = SinceStand(rows, parameter: "updated_since", paging: .link, size: 10)
        let proposal = try stand.proposal()
        #expect(
            proposal.value("since")
                == #"{"query":"updated_since={since}","moment":"$.updated_at"}"#,
            "\(proposal.evidence("since"))")
        #expect(try proposal.read().declaration.paging == .link)
        // A total says that there are fewer.
        stand = SinceStand(rows, parameter: "since", paging: .offset, size: 10)
        #expect(
            try stand.proposal().evidence("since").contains(
                "34 of 40 rows came, none of them older"))
    }

    @Test func `Kinto's own text is the mark, and it marks what is gone`() throws {
        let rows = (1...6).map {
            #"{"id":"a\#($0)","title":"t","last_modified":\#(1_700_000_000_000 + $0)}"#
        }
        var stand = SinceStand([], parameter: nil)
        stand.unkindness = { target in
            let since = target.replacing("%22", with: "").split(separator: "_since=").dropFirst()
                .first
            let number =
                since.flatMap { Int64($0.filter(\.isNumber).suffix(13)) } ?? 0
            let shown = rows.enumerated().filter { 1_700_000_000_001 + Int64($0.offset) > number }
            let gone = #"{"id":"b","last_modified":1700000000005,"deleted":true}"#
            let all =
                shown.map(\.element)
                + (number > 0 && number < 1_700_000_000_005 ? [gone] : [])
            if target.hasSuffix("/a1") {
                return SinceStand.answer(#"{"data":\#(rows[0]),"permissions":{}}"#)
            }
            return SinceStand.answer(
                #"{"data":[\#(all.joined(separator: ","))]}"#, 200,
                [HTTPField("ETag", "\"1700000000006\"")])
        }
        let proposal = try stand.proposal()
        #expect(
            proposal.value("since")
                == #"{"query":"_since={since}","moment":"header ETag","deleted":"$.deleted"}"#,
            "\(proposal.evidence("since"))")
        #expect(proposal.value("read") == #"{"row":"$.data"}"#)
        #expect(stand.asked.count == 4)
        #expect(stand.asked[2] == "/lists/notes?_since=%221700000000006%22")
        _ = try proposal.read()
    }

    @Test func `the spellings of Redmine, PostgREST and PocketBase are tried where they show`()
        throws
    {
        for (member, envelope, fields, query, sent) in [
            (
                "updated_on", "", [], "updated_on=>={since}",
                "?updated_on=%3E=2026-11-10T03%3A00%3A00Z"
            ),
            (
                "updated_at", "", [HTTPField("Content-Range", "0-5/*")],
                "updated_at=gte.{since}", "?updated_at=gte.2026-11-10T03%3A00%3A00Z"
            ),
            (
                "updated", #""page":1,"perPage":30,"totalItems":6,"items":"#, [],
                "filter=(updated>='{since}')",
                "?filter=(updated%3E='2026-11-10T03%3A00%3A00Z')"
            ),
        ] as [(String, String, [HTTPField], String, String)] {
            let rows = SinceStand.rows(6, member: member)
            var stand = SinceStand([], parameter: nil)
            stand.unkindness = { target in
                let shown =
                    target.contains("2199") ? [] : target.contains("?") ? rows[2...4] : rows[...]
                let list = "[\(shown.joined(separator: ","))]"
                return SinceStand.answer(
                    envelope.isEmpty ? list : "{\(envelope)\(list)}", 200, fields)
            }
            let proposal = try stand.proposal()
            #expect(
                proposal.value("since") == #"{"query":"\#(query)","moment":"$.\#(member)"}"#,
                "\(proposal.evidence("since"))")
            #expect(stand.asked.first == SinceStand.target + sent)
            _ = try proposal.read()
        }
    }

    @Test func `a date can be wanted in seconds`() throws {
        let rows = SinceStand.rows(6, member: "changed_at")
        var stand = SinceStand(rows, parameter: nil)
        stand.unkindness = { target in
            guard let sent = target.firstMatch(of: #/[?&]changed_after=(\d+)$/#),
                let seconds = Int64(sent.1)
            else { return nil }
            let start = 1_794_268_800 as Int64
            let shown = rows.indices.filter { start + Int64(($0 + 1) % 6) * 3600 >= seconds }
            return SinceStand.answer("[\(shown.map { rows[$0] }.joined(separator: ","))]")
        }
        // All at once are no question that this server knows.
        let all = stand.unkindness
        stand.unkindness = { $0.contains("&") ? SinceStand.answer("{}", 400) : all($0) }
        let proposal = try stand.proposal()
        #expect(
            proposal.value("since")
                == #"{"query":"changed_after={since}","moment":"$.changed_at","form":"seconds"}"#,
            "\(proposal.evidence("since"))")
    }
}
