internal import Rendering
internal import Store

extension MovieChangeRow {
    var json: JSONValue {
        [
            "at": .string(at), "id": .integer(id), "title": .string(title),
            "change": .string(change.rawValue), "old_release_date": .optional(oldReleaseDate),
            "new_release_date": .optional(newReleaseDate),
        ]
    }

    static func table(of rows: [MovieChangeRow], _ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("at"), .init("change"), .init("title", isFlexible: true), .init("was"),
                .init("is"),
            ],
            rows: rows.map { row in
                [
                    .init(moments.of(row.at)), .init(row.change.rawValue, row.emphasis),
                    .init(row.title),
                    .init(row.oldReleaseDate ?? ""), .init(row.newReleaseDate ?? ""),
                ]
            })
    }

    private var emphasis: Style.Emphasis {
        switch change {
        case .appeared: .good
        case .slipped: .warning
        case .vanished: .bad
        }
    }
}
