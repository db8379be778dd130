internal import Rendering
internal import Rules
internal import SQLite
package import Store

extension Conflict {
    static func table(of conflicts: [Conflict], _ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("seq", alignment: .trailing), .init("at"), .init("row"), .init("column"),
                .init("why"), .init("mine", isFlexible: true), .init("theirs", isFlexible: true),
            ],
            rows: conflicts.map { conflict in
                [
                    .init("\(conflict.sequence)"), .init(moments.of(conflict.at)),
                    .init("\(conflict.list) \(conflict.row)"), .init(conflict.field),
                    .init(conflict.reason.rawValue, .warning), .init(conflict.mine.text ?? ""),
                    .init(conflict.theirs.text ?? ""),
                ]
            })
    }

    var json: JSONValue {
        [
            "seq": .integer(sequence), "at": .string(at), "list": .string(list),
            "row_id": .integer(row), "field": field.isEmpty ? .null : .string(field),
            "why": .string(reason.rawValue),
            "mine": mine.json, "theirs": theirs.json,
        ]
    }

    /// What a person is told of `count` conflicts; nil where there are none.
    package static func remark(on count: Int64) -> String? {
        switch count {
        case 0: nil
        case 1: "one edit conflicts with the server: `syncd conflicts` shows both values"
        default: "\(count) edits conflict with the server: `syncd conflicts` shows both values"
        }
    }
}
