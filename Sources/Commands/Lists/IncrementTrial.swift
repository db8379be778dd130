internal import APIClient
internal import Declarations
internal import Store
internal import SyncEngine
internal import Tables
internal import Text

/// A list that is compared with an increment of it.
struct IncrementTrial: Sendable {
    /// From where the increment asks; nil: from nowhere.
    let mark: String?
    let ending: Ending
    /// Rows that the increment lacks, though they have changed since then: those that the list still has.
    var missing: Set<String> = []

    enum Ending: Sendable {
        /// There is no moment that can be asked from; whether that is a fault, and why.
        case noMark(isFault: Bool, String)
        /// The server gave no increment; why not.
        case refused(String)
        case compared(IncrementFindings)
    }

    /// What the increment shows is read as a list of its own, that programs only read, into a table beside that of the
    /// list `source`, by the engine that reads any list.
    static func list(
        of source: ListSource, _ since: Since, from sent: String
    ) -> ListTable? {
        let declaration = source.table.declaration
        let list = PercentEncoding.escaped(
            query: since.query(of: declaration.list, from: PercentEncoding.encoded(sent)))
        let kept = (declaration.json().members ?? []).filter {
            ["rows", "pages", "interval"].contains($0.key)
        }
        let json = JSONNode.object(
            [
                ("list", .text(list)), ("id", .text(declaration.id.description)),
                ("columns", .object([("key", .text("text \(declaration.id)"))])),
            ] + kept.map { ($0.key, $0.node) })
        let increment = try? Declaration.stored(
            String(decoding: json.lines, as: UTF8.self), name: name(of: declaration.name))
        return increment.map { ListTable($0) }
    }

    /// A name that no declared list has.
    static func name(of list: ListName) -> String { "increment of \(list)" }
}

extension IncrementTrial {
    /// Whether the increment shows every row of the list, though some are older than its mark.
    private var isAll: Bool {
        guard case .compared(let found) = ending else { return false }
        // A text of the server's own is younger than all rows.
        let isOwnText = found.later + found.same + found.earlier == 0
        return found.rows > 0 && found.known == found.rows && (isOwnText || found.earlier > 0)
    }

    /// Whether the server means rows later than the mark alone, which is as good.
    private var leavesOutTheMark: Bool {
        guard case .compared(let found) = ending else { return false }
        return found.laterMissing == 0 && found.sameMissing == found.same
    }

    /// How many changed rows the increment lacks.
    var lacking: Int { leavesOutTheMark ? 0 : missing.count }

    /// Whether something is wrong.
    var isFault: Bool {
        switch ending {
        case .noMark(let isFault, _): isFault
        case .refused: true
        case .compared: isAll || lacking > 0
        }
    }

    /// What was found, a line each.
    var facts: [(name: String, value: String)] {
        let start = mark.map { [(name: "increment from", value: "\(ForeignText($0))")] } ?? []
        guard case .compared(let found) = ending else { return start }
        return start + [
            ("rows in it", "\(found.shown)"), ("older rows in it", "\(found.earlierShown)"),
            ("changed rows not in it", "\(lacking)"),
        ]
            + (found.later + found.same == 0
                ? [] : [("rows without moment", "\(found.withoutMoment)")])
    }

    /// What is wrong or not known, in one sentence or two; nil: nothing.
    var remark: String? {
        let from = "\(ForeignText(mark ?? ""))"
        switch ending {
        case .noMark(_, let why): return why
        case .refused(let why): return "asked for what has changed since \(from): \(why)"
        case .compared(let found) where isAll:
            return
                "the server ignores since: asked for what has changed since \(from), it shows all"
                + " \(found.rows) rows. Correct \"query\" in \"since\", or remove \"since\""
        case .compared where lacking > 0:
            let named = missing.sorted().prefix(5).map { "\(ForeignText($0))" }
            let rest = missing.count > named.count ? ", …" : ""
            return
                "the increment from \(from) lacks rows that have changed since: \(missing.count):"
                + " \(named.joined(separator: ", "))\(rest). Look whether \"query\" asks for what"
                + " \"moment\" shows"
        case .compared(let found) where found.shown == 0 && found.later == 0 && found.same > 0:
            return
                "the increment from \(from) shows no row, and no row is later: that proves nothing"
        case .compared: return nil
        }
    }

    /// What `--json` prints.
    var counts: IncrementFindings? {
        if case .compared(let found) = ending { found } else { nil }
    }
}
