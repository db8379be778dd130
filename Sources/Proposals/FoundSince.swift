package import Text

/// What is proposed so that only changes are asked for, and what was tried in vain.
package struct FoundSince: Sendable {
    private let sentence: String
    /// The value of `since`; nil: none is proposed.
    package let value: JSONNode?
    private let path: String
    private let isNewestFirst: Bool

    /// A way that is believed.
    struct Way: Sendable, Hashable {
        let query: String
        let inSeconds: Bool
        /// The mark is the entity tag of the list.
        let hasTag: Bool
        /// Rows that are gone are shown, too.
        let hasTombstones: Bool
        let mark: String
        let far: String
        let rows: Int64
        let of: Int64
    }

    init(
        path: String, way: Way?, refused: [(way: String, why: String)], isCutShort: Bool,
        isNewestFirst: Bool
    ) {
        self.path = path
        self.isNewestFirst = isNewestFirst
        value = way.map { way in
            .object([
                ("query", .text(way.query)),
                ("moment", .text(way.hasTag ? "header ETag" : path)),
                ("deleted", way.hasTombstones ? .text("$.deleted") : nil),
                ("form", way.inSeconds ? .text("seconds") : nil),
            ])
        }
        var vain: [(ways: [String], why: String)] = []
        for item in refused {
            if let place = vain.firstIndex(where: { $0.why == item.why }) {
                vain[place].ways.append(item.way)
            } else {
                vain.append(([item.way], item.why))
            }
        }
        let tried =
            vain.map { "\(Self.few($0.ways)) (\($0.why))" }.joined(separator: "; ")
            + (isCutShort ? ". After \(SinceSearch.mostQuestions) requests, no more was tried" : "")
        guard let way else {
            sentence =
                "left out: the server shows no way to ask for what has changed since a moment, such as"
                + " \(path). Tried in vain: \(tried)"
            return
        }
        sentence =
            "\(way.query) and \(way.hasTag ? "the header ETag" : path): from \(way.mark) on, "
            + (way.rows < way.of
                ? "\(way.rows) of \(way.of) rows came" : "a page of \(way.rows) rows came")
            + ", none of them older, and from \(way.far) on, none"
            + (vain.isEmpty ? "" : ". Not believed: \(tried)")
    }

    private static func few(_ ways: [String]) -> String {
        ways.prefix(3).joined(separator: ", ")
            + (ways.count > 3 ? " and \(ways.count - 3) more" : "")
    }

    private init(unfit: String) {
        (path, isNewestFirst, value) = ("", false, nil)
        sentence = "left out: \(unfit)"
    }

    /// Why the field of the rows of `draft` that has the name of a moment is none; nil where there is no such field, and
    /// where it is one.
    package static func unfit(_ draft: ListDraft) -> FoundSince? {
        guard case .unfit(let why) = FoundMoment.find(in: draft.rows.rows) else { return nil }
        return FoundSince(unfit: why)
    }

    /// Why it is proposed, or is not.
    var evidence: ListProposal.Evidence { .init("since", sentence) }

    /// About a list in several pages that comes the newest first.
    var warning: String? {
        guard value != nil, isNewestFirst else { return nil }
        return
            "the rows come newest first by \(path). A row that changes while pages are read can be"
            + " skipped: let the server sort by id, if it can"
    }
}
