import APIClient
import Declarations
import SyncEngine
import Testing
import Text

/// A body that names single columns, such as that of an entry that was read.
@Suite struct ColumnInBodyTests {
    private static func list(_ calls: String) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/entries", "id": "$.id", \(calls),
             "columns": {
               "status": {"text": "$.meta.status", "write": "both"},
               "starred": {"boolean": "$.starred", "write": "both"},
               "labels": {"json": "$.labels", "write": "create"}, "n": "integer $.n"}}
            """, name: "entries")
    }

    private static let create =
        #""create": {"body": {"s": "{status}", "f": ["{starred}", "{labels}"], "x": "{}"}}"#
    private static let update =
        #""update": {"body": {"ids": ["@id"], "s": "{status}", "f": "{starred}", "n": "{n}"}}"#

    private static func body(
        _ kind: WriteCall.Kind, _ row: RowValues
    ) throws -> String {
        let list = try list("\(create), \(update)")
        let call = try RowRequest.call(try #require(list.calls[kind]), of: list, for: row, key: nil)
        return String(decoding: call.body ?? [], as: UTF8.self)
    }

    @Test func `a new row has its values at their places, and null where it has none`() throws {
        let given = RowValues(
            serverID: nil, version: nil,
            values: ["status": #""a\"}b""#, "starred": "true", "labels": "[1, {\"a\": null}]"])
        #expect(
            try Self.body(.create, given)
                == #"{"s":"a\"}b","f":[true,[1,{"a":null}]],"x":"{}"}"#)
        #expect(
            try Self.body(.create, RowValues(serverID: nil, version: nil, values: [:]))
                == #"{"s":null,"f":[null,null],"x":"{}"}"#)
    }

    @Test func `an update has what changed, and beside it what the server has shown`() throws {
        // The table shows `read` and 9 already: these wait for the update after this one.
        let row = RowValues(
            serverID: "7", version: nil, values: ["status": #""read""#, "n": "9"],
            changed: ["starred": "true"],
            document: #"{"id":7,"meta":{"status":"unread"},"starred":false,"n":1.50}"#)
        #expect(try Self.body(.update, row) == #"{"ids":[7],"s":"unread","f":true,"n":1.50}"#)
        let bare = RowValues(
            serverID: "a7", version: nil, values: [:], changed: ["status": "null"], document: "{}")
        #expect(
            try Self.body(.update, bare) == #"{"ids":["a7"],"s":null,"f":null,"n":null}"#)
    }

    @Test func `what stands in no document is not guessed, and what is no JSON not sent`() throws {
        let nowhere = RowValues(
            serverID: "7", version: nil, values: ["status": #""read""#],
            changed: ["starred": "true"])
        #expect(
            throws: APIError.invalidRequest(
                "entries: {status} is due, and the row has no document yet")
        ) { try Self.body(.update, nowhere) }
        let broken = RowValues(serverID: nil, version: nil, values: ["status": #""a","x":1"#])
        #expect(
            throws: APIError.bodyNotEncodable(
                "entries: the value of status is no JSON from line 1, character 4")
        ) { try Self.body(.create, broken) }
    }

    @Test func `a body with columns says the same after it was written and read again`() throws {
        let list = try Self.list("\(Self.create), \(Self.update)")
        let again = try Declaration.stored(
            String(decoding: list.json().lines, as: UTF8.self), name: "entries")
        #expect(again == list)
    }
}
