import Declarations
import Proposals
import Testing
import Text

/// Fields that hold ids of rows of another list of that server.
@Suite struct ReferenceProposalTests {
    private static let neighbours = [
        NeighbourList(ListName(kept: "projects"), ids: ["501", "502", "503"]),
        NeighbourList(ListName(kept: "people"), ids: ["a-1", "a-2"]),
    ]

    private static func proposal(_ member: String, _ values: [String]) throws -> ListProposal {
        let rows = values.enumerated().map { #"{"id":\#($0 + 1),"title":"t","\#(member)":\#($1)}"# }
        return try Seen("/tasks", "[\(rows.joined(separator: ","))]").draft().proposal(
            server: .object([("baseURL", .text("https://example.org"))]), tried: [],
            beside: neighbours)
    }

    @Test(arguments: [
        ("project_id", ["501", "502", "501"], #"{"row":"$.project_id","of":"projects"}"#),
        ("project", ["501", "null", "503"], #"{"row":"$.project","of":"projects"}"#),
        // Any name of an id, where one list alone has them all.
        ("list_id", ["502"], #"{"row":"$.list_id","of":"projects"}"#),
        ("ownerId", [#""a-2""#, #""a-1""#], #"{"row":"$.ownerId","of":"people"}"#),
        // Numbers in texts.
        ("projectId", [#""501""#], #"{"row":"$.projectId","of":"projects","text":true}"#),
    ])
    func `a field of ids of rows that are here is proposed as a row`(
        member: String, values: [String], column: String
    ) throws {
        let proposal = try Self.proposal(member, values)
        #expect(proposal.value("columns")?.contains(column) == true, "\(proposal.declaration)")
        #expect(proposal.evidence.contains { $0.sentence.hasPrefix("a row of ") })
        _ = try proposal.read()
    }

    @Test(arguments: [
        // Another number; one that is no id; a small number of another kind; nothing at all.
        ("project_id", ["501", "504"]), ("project_id", ["501", "1.5"]), ("priority", ["501"]),
        ("project_id", ["null"]),
    ])
    func `any other field stays plain`(member: String, values: [String]) throws {
        let proposal = try Self.proposal(member, values)
        #expect(proposal.value("columns")?.contains("\"row\"") == false)
    }
}
