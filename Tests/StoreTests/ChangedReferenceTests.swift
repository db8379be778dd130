import Declarations
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// A column whose values become numbers of another list, beside conflicts that nobody has decided.
@Suite struct ChangedReferenceTests {
    private static func tables(_ area: String) throws -> [ListTable] {
        let declarations = try [
            ("areas", #""name": "text $.name""#), ("zones", #""name": "text $.name""#),
            ("places", #""name": "text $.name", "area": \#(area)"#),
        ].map { name, columns in
            try Declaration.stored(
                #"{"list": "/x", "id": "$.id", "update": true, "columns": {\#(columns)}}"#
                    .replacing(
                        "\"name\": \"text $.name\"",
                        with: "\"name\": {\"text\": \"$.name\", \"write\": \"update\"}"),
                name: name)
        }
        return try declarations.map { ListTable(try $0.referring(to: declarations)) }
    }

    private static let areas = #"{"row": "$.area", "of": "areas", "write": "update"}"#
    private static let zones = #"{"row": "$.area", "of": "zones", "write": "update"}"#
    private static let plain = #"{"integer": "$.area", "write": "update"}"#

    @Test(arguments: [(areas, zones), (plain, areas), (areas, plain)])
    func `R11: conflicts about its rows are decided first`(before: String, after: String)
        async throws
    {
        let store = try Cache.open(.memory)
        try await store.bring(to: Self.tables(before))
        try await store.withConnection {
            try $0.execute(
                script: """
                    INSERT INTO conflict (at, list, row_id, field, why, mine)
                    VALUES (0, 'places', 1, 'area', 'edited', 2), (0, 'places', 1, 'name', 'edited', 'x')
                    """)
        }
        await #expect(
            throws: StoreError.conflictsWait("places", column: "area", count: 1)
        ) { try await store.bring(to: Self.tables(after)) }
        try await store.withConnection {
            try $0.execute(script: "DELETE FROM conflicts WHERE field = 'area'")
        }
        try await store.bring(to: Self.tables(after))
        let kept = try await store.withConnection {
            try $0.count("SELECT count(*) FROM conflicts")
        }
        #expect(kept == 1)
    }

    @Test func `another name of the same rows keeps them`() async throws {
        let store = try Cache.open(.memory)
        try await store.bring(to: Self.tables(Self.areas))
        try await store.withConnection {
            try $0.execute(
                script: """
                    INSERT INTO conflict (at, list, row_id, field, why, mine)
                    VALUES (0, 'places', 1, 'area', 'edited', 2)
                    """)
        }
        try await store.bring(
            to: Self.tables(#"{"row": "$.place.area", "of": "areas", "write": "update"}"#))
        #expect(
            try await store.withConnection { try $0.count("SELECT count(*) FROM conflicts") } == 1)
    }
}
