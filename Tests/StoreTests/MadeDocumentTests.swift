import Declarations
import Recovery
import SQLite
import Store
import Tables
import Testing

/// Documents that a salvage makes of the columns of rows.
@Suite struct `a document that is made anew` {
    private static let columns = """
        "columns": {"uid": "text $.key.id", "meta": "json $.meta", "size": "integer $.meta['the size']",
            "tag": "text $.tags[2]", "tags": "json $.tags[0].all", "first": "text $.tags[0].name",
            "score": "real $.score", "n": "integer $.n", "flag": "boolean $.n", "far": "text $.far[5000]",
            "title": {"text": "$.title", "write": "create", "required": true}}
        """

    /// The documents of `pulled` are lost; the rows are as before where the salvage made `made` of them.
    private func expect(
        _ made: String, of pulled: String, id: String = "$.key.id", columns: String = Self.columns,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cache = try await DamagedCache()
        let things = DeclaredLists.list("things", #""id": "\#(id)", "create": true, \#(columns)"#)
        let store = try Cache.open(.file(cache.path))
        _ = try await store.table(of: things)
        try await store.pull("[\(pulled)]", of: things)
        let before = try cache.rows("SELECT * FROM things")
        #expect(before.count == 1, sourceLocation: sourceLocation)
        let report = try await cache.salvaged(after: "DELETE FROM s_things")
        #expect(report.losses == [], sourceLocation: sourceLocation)
        #expect(try cache.rows("SELECT * FROM things") == before, sourceLocation: sourceLocation)
        #expect(
            try cache.rows("SELECT document FROM s_things") == [made],
            sourceLocation: sourceLocation)
    }

    @Test func `has each value where it is read, at any depth`() async throws {
        try await expect(
            #"{"key":{"id":"7"},"meta":{"the size":5,"b":[1.5]},"#
                + #""tags":[{"all":["x"],"name":"ü'\"\\"},null,"c"],"score":0.30000000000000004,"n":1,"far":null,"#
                + #""title":"a\nb"}"#,
            of:
                #"{"more":1,"title":"a\nb","key":{"id":"7"},"meta":{"the size":5, "b":[1.5]},"#
                + #""tags":[{"all":["x"],"name":"ü'\"\\"},"y","c"],"score":0.30000000000000004,"n":1}"#
        )
    }

    @Test func `has nothing where no value is`() async throws {
        try await expect(
            #"{"key":{"id":"a b"},"meta":null,"tags":[{"all":null,"name":null},null,null],"#
                + #""score":null,"n":true,"far":null,"title":""}"#,
            of: #"{"key":{"id":"a b"},"meta":5,"n":true,"score":"1","title":""}"#)
    }

    @Test(arguments: [
        ("7", "7"), ("\"a\"", "\"a\""), ("\"007\"", "\"007\""),
        ("9223372036854775807", "9223372036854775807"),
        // Whether the server has a text or a number, nobody can tell any more.
        ("\"-7\"", "-7"),
    ])
    func `has the id of the row`(id: String, made: String) async throws {
        try await expect(
            #"{"id":\#(made),"title":"a"}"#, of: #"{"id":\#(id),"title":"a"}"#, id: "$.id",
            columns: #""columns": {"title": {"text": "$.title", "write": "create"}}"#)
    }
}
