import Declarations
import ReferenceAPI
import Rules
import SyncEngine
import TestSupport

/// The one list that programs write to, as half of all worlds have it: not the todos, but a list of any
/// other declaration. Its rows are todos of the reference server, in another form: a todo's title is all
/// values of the row in one text, so that every law of the todos is one of these rows.
///
/// Drawn apart from everything else, so that a seed keeps the rest of its world.
package struct DrawnList: Sendable, Hashable {
    /// A column beside the text.
    struct Extra: Sendable, Hashable {
        let name: String
        let type: String
        /// The member of the row, or the two that stand one in the other.
        let path: [String]
        let isRequired: Bool
        /// What the person and others write; empty: nothing.
        let values: [String]

        /// The whole row has no such value.
        fileprivate var absent: [String] { isRequired ? [] : [""] }
    }

    /// How name and password are sent.
    enum Login: Sendable, Hashable, CaseIterable { case basic, json, form }

    let extras: [Extra]
    let textPath: [String]
    let idName: String
    /// Where the list stands in its answer, and a row in a request and its answer; empty: it is the whole.
    let listPath: [String]
    let rowPath: [String]
    let login: Login
    let once: Once
    /// A delete is a POST of the id.
    let deletesByPost: Bool
    /// Rows on a page, which a cursor leads to; nil: one answer has all of them.
    let pageSize: Int?
    /// Ids alone tell rows apart, as they are never given twice.
    let hasLastingIDs: Bool
    /// A full text and a history follow what programs write.
    let isFollowed: Bool
    /// The list is read by `POST`, and the cursor goes into the body.
    let isPosted: Bool

    /// The column of the marks.
    static let mark = Extra(
        name: "mark", type: "text", path: ["mark"], isRequired: false, values: [])
    private static let known = [
        Extra(
            name: "size", type: "integer", path: ["size"], isRequired: false, values: ["7", "-1"]),
        Extra(
            name: "done", type: "boolean", path: ["meta", "done"], isRequired: false,
            values: ["0", "1"]),
        Extra(
            name: "tags", type: "json", path: ["tags"], isRequired: false,
            values: [#"["a","b"]"#, "{}"]),
        Extra(
            name: "kind", type: "text", path: ["meta", "kind"], isRequired: true,
            values: ["buy", "pay"]),
        Extra(
            name: "price", type: "real", path: ["price"], isRequired: false,
            values: ["1.5", "0.25"]
        ),
    ]

    /// The list of a seed whose server behaves like `setting`; nil for the half of all seeds that has the todos.
    init?(seed: UInt64, setting: Setting) {
        let random = SeededRandom(seed: seed &* 0xa076_1d64_78bd_642f ^ 0x0dec_1a4e)
        guard random.happens(50) else { return nil }
        let marks: [Once.Mark] = [.uuid, .hex, .base36(15)]
        if setting.usesKeys {
            once = .header(random.happens(50) ? "Idempotency-Key" : "X-Request-Key")
        } else {
            once = random.happens(35) ? .column("mark", marks[random.index(3)]) : .look
        }
        let drawn = Self.known.filter { _ in random.happens(45) }
        extras = (once.isColumn ? [Self.mark] : []) + drawn
        isFollowed = seed % 8 == 4
        textPath = random.happens(30) ? ["content", "text"] : ["text"]
        idName = ["id", "_id", "uid"][random.index(3)]
        listPath = [[], ["data"], ["data", "items"]][random.index(3)]
        rowPath = random.happens(40) ? ["row"] : []
        login = Login.allCases[random.index(3)]
        deletesByPost = random.happens(20)
        let areNumbers = setting.behaviour.ids != .texts
        // The cursor stands beside the rows.
        pageSize =
            areNumbers && !listPath.isEmpty && random.happens(45) ? 2 + random.index(9) : nil
        hasLastingIDs = !areNumbers && random.happens(50)
        // Drawn last, so that older seeds keep the rest of their lists.
        isPosted = random.happens(20)
    }

    /// The columns of ``extras`` and the text behind them, in the order of a title's parts.
    var columns: [String] { extras.map(\.name) + ["text"] }

    /// The server's manners, for rows that are longer than their texts.
    func changed(_ setting: Setting) -> Setting {
        var setting = setting
        let more = extras.count + (once.isColumn ? 36 : 0) + 20
        if case .cut(let characters) = setting.behaviour.altersTitles {
            setting.behaviour.altersTitles = .cut(characters: characters + more)
        }
        setting.behaviour.maxTitleCharacters = setting.behaviour.maxTitleCharacters.map {
            $0 + more
        }
        if pageSize != nil {
            // A cursor leads through the ids in their order.
            setting.behaviour.listOrder = .oldestFirst
            setting.behaviour.pages = nil
            setting.behaviour.doubledRow = nil
        }
        return setting
    }
}

extension Once {
    var isColumn: Bool { if case .column = self { true } else { false } }
}

/// Titles: a row's values in one text, `7|1|milk`, the text last; a value that is not there is empty.
extension DrawnList {
    static let separator: Character = "|"

    /// The title of a row with this text, its other values drawn.
    func title(_ text: String, _ random: SeededRandom) -> String {
        let values = extras.map { extra in
            random.element(of: extra.values + extra.absent) ?? ""
        }
        return (values + [text]).joined(separator: String(Self.separator))
    }

    /// The values of a row by its title, in the order of ``columns``; one of another form is a text alone.
    func values(_ title: String) -> [String] {
        let parts = title.split(
            separator: Self.separator, maxSplits: extras.count, omittingEmptySubsequences: false)
        guard parts.count == extras.count + 1 else { return extras.map { _ in "" } + [title] }
        return parts.map { String($0) }
    }

    /// What a create is looked for by: the mark alone, or the values that every row has, as servers alter them.
    /// Empty for a row of others, without a mark.
    func look(_ title: String) -> [String] {
        let values = values(title)
        if once.isColumn { return values[0].isEmpty ? [] : [values[0]] }
        return zip(extras, values).filter { $0.0.isRequired }.map(\.1)
            + [FoldedValue(values[extras.count]).description]
    }

    /// `title` as a list of `rows` would show it: a column that none of them has may be left out there, and the cache keeps
    /// what it knows.
    func listed(_ title: String, in rows: [String]) -> String {
        let all = rows.map(values)
        return values(title).enumerated().map { place, value in
            all.allSatisfy { $0[place].isEmpty } ? "" : value
        }.joined(separator: String(Self.separator))
    }

    /// Whether a row has no mark, and else what a create with one has, as servers alter it. What the create leaves out, the
    /// server fills in.
    func isUnmarked(_ row: String, like title: String) -> Bool {
        let (shown, sent) = (values(row), values(title))
        guard once.isColumn, shown[0].isEmpty else { return false }
        return zip(shown, sent).dropFirst().allSatisfy {
            $1.isEmpty || FoldedValue($0) == FoldedValue($1)
        }
    }
}

extension DrawnList: CustomStringConvertible {
    package var description: String {
        let once =
            switch once {
            case .look: "look"
            case .header(let name): "header \(name)"
            case .column(_, let mark): "mark \(mark)"
            }
        return "a list with \(columns.joined(separator: ", ")); once by \(once)"
            + (pageSize.map { ", pages of \($0)" } ?? "") + ", login \(login)"
            + (listPath + rowPath).map { ", in \($0)" }.joined()
            + (deletesByPost ? ", deletes by POST" : "") + (hasLastingIDs ? ", ids last" : "")
            + (isPosted ? ", read by POST" : "")
    }
}
