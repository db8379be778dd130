import Proposals
import ReferenceAPI
import Testing

/// Which field of the rows says when they have changed.
@Suite struct MomentTests {
    private static func proposal(_ fields: [String]) throws -> ListProposal {
        let rows = fields.enumerated().map { #"{"id":\#($0 + 1),"title":"t",\#($1)}"# }
        var stand = SinceStand(rows, parameter: nil)
        return try stand.proposal()
    }

    @Test(arguments: [
        // No date that sorts; empty in a row; dates that SQLite does not read; too few.
        (
            [#""updated_at":"2 hours ago""#, #""updated_at":"today""#, #""updated_at":"May 3""#],
            "left out: $.updated_at is neither a date that sorts, as 2026-11-29T08:00:00Z, nor a whole number"
        ),
        (
            [
                #""modified":"2026-11-01T10:00:00Z""#, #""modified":null"#,
                #""modified":"2026-11-02T10:00:00Z""#,
            ],
            "left out: $.modified is empty in 1 of 3 rows, and increments would lack them"
        ),
        (
            [
                #""updated":"2026-11-01T10:00:00+0100""#, #""updated":"2026-11-01T11:00:00+0100""#,
                #""updated":"2026-11-01T12:00:00+0100""#,
            ],
            "left out: $.updated is neither a date that sorts, as 2026-11-29T08:00:00Z, nor a whole number"
        ),
        (
            [#""lastModified":17"#, #""lastModified":17"#, #""lastModified":18"#],
            "left out: the rows have 2 moments at $.lastModified, and three are needed for a trial"
        ),
        (
            [#""mtime":17"#, #""mtime":-1"#, #""mtime":"2026-11-01T12:00:00Z""#],
            "left out: $.mtime is neither a date that sorts, as 2026-11-29T08:00:00Z, nor a whole number"
        ),
    ])
    func `a field that cannot be the moment is told, and no server asked`(
        fields: [String], sentence: String
    ) throws {
        let proposal = try Self.proposal(fields)
        #expect(proposal.value("since") == nil)
        #expect(proposal.evidence("since") == sentence)
    }

    @Test func `rows without such a field are nothing to speak of`() throws {
        let proposal = try Self.proposal([
            #""created_at":"2026-11-01T10:00:00Z""#, #""created_at":"2026-11-02T10:00:00Z""#,
            #""created_at":"2026-11-03T10:00:00Z""#,
        ])
        #expect(!proposal.evidence.contains { $0.key == "since" })
    }

    @Test func `a list that comes the newest first is told, and its order stays`() throws {
        let rows = Array(SinceStand.rows(6)[0...4].reversed())
        var stand = SinceStand(rows, parameter: "since", paging: .link, size: 4)
        let target = SinceStand.target + "?sort=-updated_at"
        let proposal = try stand.proposal(target: target)
        #expect(proposal.value("since") != nil, "\(proposal.evidence("since"))")
        #expect(proposal.value("list") == "\"\(target)\"")
        #expect(
            proposal.warnings.contains(
                "the rows come newest first by $.updated_at. A row that changes while pages are read can be"
                    + " skipped: let the server sort by id, if it can"), "\(proposal.warnings)")
    }

    @Test func `a row is found below a slash, a name of JSON, or by its number`() throws {
        for (target, asked, read) in [
            ("/notes/", "/notes/1/", #"{"path":"/notes/{id}/"}"#),
            ("/notes.json?a=b", "/notes/1.json", #"{"path":"/notes/{id}.json","row":"$.note"}"#),
            ("/issues", "/issues/71", #"{"path":"/issues/{number}"}"#),
        ] {
            let rows = SinceStand.rows(6).enumerated().map {
                $1.replacing("\"title\"", with: "\"number\":7\($0 + 1),\"title\"")
            }
            var stand = SinceStand([], parameter: nil)
            stand.unkindness = { path in
                if path == asked {
                    return SinceStand.answer(
                        read.contains("row") ? "{\"note\":\(rows[0])}" : rows[0])
                }
                guard path.hasPrefix(target) else { return SinceStand.answer("{}", 404) }
                let isAsked = path.contains("since=")
                let shown = path.contains("2199") ? [] : isAsked ? rows[2...4] : rows[...]
                return SinceStand.answer("[\(shown.joined(separator: ","))]")
            }
            let proposal = try stand.proposal(target: target)
            #expect(proposal.value("read") == read, "\(proposal.evidence("read"))")
            _ = try proposal.read()
        }
    }
}
