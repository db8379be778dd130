import APIClient
import Text

/// A server with one list that knows queries for what has changed. Titles tell its rows apart.
struct SinceServer {
    /// A row as the server has it.
    struct Row: Hashable {
        var id: Int64
        var title: String
        var value: Int64
        /// In seconds, or the number of the change; nil: it has none.
        var moment: Int64?
        /// The number of its last change.
        var revision: Int64
        /// When other clients can see that change.
        var visible: Int64
        /// What they see before.
        var before: [Row] = []
    }

    private let setting: SinceSetting
    private(set) var rows: [Row] = []
    private(set) var tombstones: [Row] = []
    private(set) var revision: Int64 = 0
    private var nextID: Int64 = 100
    private var freeIDs: [Int64] = []
    /// The clock that writes moments, less the true one.
    var drift: Int64 = 0
    /// What is wrong with the next answers.
    var unkindness: Set<SinceUnkindness> = []
    /// The next whole list is empty.
    var isEmptyOnce = false
    /// The next increment is refused with 410.
    var forgetsOnce = false

    init(_ setting: SinceSetting) { self.setting = setting }

    // MARK: Changes

    private mutating func stamp(at now: Int64, late: Int64) -> (moment: Int64, visible: Int64) {
        revision += 1
        let seconds = 1_800_000_000 + (now + drift) / 1000
        return (setting.moment == .date ? seconds : revision, now + late)
    }

    mutating func add(_ title: String, _ value: Int64, at now: Int64, late: Int64 = 0) -> Row {
        let (moment, visible) = stamp(at: now, late: late)
        let id: Int64
        if setting.reusesIDs, let free = freeIDs.popLast() {
            id = free
        } else {
            nextID += 1
            id = nextID
        }
        let row = Row(
            id: id, title: title, value: value, moment: moment, revision: revision, visible: visible
        )
        rows.append(row)
        return row
    }

    /// Returns the row as it is from now on.
    mutating func edit(
        _ id: Int64, to value: Int64, at now: Int64, late: Int64 = 0, movesMoment: Bool = true
    ) -> Row? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        let (moment, visible) = stamp(at: now, late: late)
        var old = rows[place]
        let before = old.before
        old.before = []
        var row = old
        row.value = value
        if movesMoment { row.moment = moment }
        (row.revision, row.visible) = (revision, visible)
        row.before = late > 0 ? before + [old] : []
        rows[place] = row
        return row
    }

    mutating func remove(_ id: Int64, at now: Int64) -> Bool {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return false }
        let (moment, _) = stamp(at: now, late: 0)
        var row = rows.remove(at: place)
        freeIDs.append(id)
        row.moment = moment
        row.revision = revision
        row.before = []
        row.visible = now
        if setting.hasTombstones { tombstones.append(row) }
        return true
    }

    mutating func forgetMoment(of id: Int64) {
        if let place = rows.firstIndex(where: { $0.id == id }) { rows[place].moment = nil }
    }

    mutating func dateAhead(_ id: Int64) {
        guard setting.moment == .date, let place = rows.firstIndex(where: { $0.id == id }) else {
            return
        }
        rows[place].moment = 4_000_000_000
    }

    mutating func buryFalsely(_ id: Int64) {
        guard let row = rows.first(where: { $0.id == id }) else { return }
        tombstones.append(row)
    }

    // MARK: What is seen

    /// The rows as everybody sees them at this moment.
    func seen(at now: Int64) -> [Row] {
        rows.compactMap { row in
            if row.visible <= now { return row }
            return row.before.last { $0.visible <= now }
        }
    }

    func text(_ row: Row) -> String {
        let moment = row.moment.map { moment in
            setting.moment == .date ? "\"\(HumanTime.iso(moment * 1000))\"" : "\(moment)"
        }
        let at = setting.moment == .token ? "" : ",\"at\":\(moment ?? "null")"
        return #"{"id":\#(row.id),"title":"\#(row.title)","value":\#(row.value)\#(at)}"#
    }

    private func tombstone(_ row: Row) -> String {
        let moment =
            setting.moment == .date
            ? "\"\(HumanTime.iso((row.moment ?? 0) * 1000))\"" : "\(row.moment ?? 0)"
        return #"{"id":\#(row.id),"title":"\#(row.title)","gone":true,"at":\#(moment)}"#
    }

    /// The list, or what has changed since `mark`.
    mutating func list(
        since mark: String?, from offset: Int, at now: Int64
    ) -> HTTPResponse {
        var shown = seen(at: now).map { (row: $0, isGone: false) }
        if let mark {
            if forgetsOnce {
                forgetsOnce = false
                return HTTPResponse(status: 410)
            }
            if !unkindness.contains(.ignoresMark) {
                let least = HumanTime.milliseconds(iso: mark).map { $0 / 1000 } ?? Int64(mark) ?? 0
                // A false one is no more to be seen than the change that it came with.
                shown += tombstones.filter { $0.visible <= now }.map { ($0, true) }
                shown = shown.filter { row, _ in
                    let moment = setting.moment == .token ? row.revision : row.moment ?? -1
                    return setting.moment == .token || setting.isStrict
                        ? moment > least : moment >= least
                }
            }
            if unkindness.contains(.showsNothing) { shown = [] }
        } else if isEmptyOnce {
            shown = []
            if setting.size == nil || offset > 0 { isEmptyOnce = false }
        }
        switch setting.order {
        case .id: shown.sort { ($0.row.id, $0.row.revision) < ($1.row.id, $1.row.revision) }
        case .newestFirst:
            shown.sort { ($0.row.moment ?? -1, $0.row.id) > ($1.row.moment ?? -1, $1.row.id) }
        case .oldestFirst:
            shown.sort { ($0.row.moment ?? -1, $0.row.id) < ($1.row.moment ?? -1, $1.row.id) }
        }
        let all = shown.count
        let isStuck = mark != nil && unkindness.contains(.firstPage)
        let start = isStuck ? 0 : min(offset, all)
        let end = setting.size.map { min(start + $0, all) } ?? all
        let texts = shown[start..<end].map { $0.isGone ? tombstone($0.row) : text($0.row) }
        var fields = [HTTPField("Date", "Fri, 15 Jan 2027 08:00:00 GMT")]
        if setting.tellsTotal { fields.append(HTTPField("X-Total-Count", "\(all)")) }
        if setting.moment == .token {
            fields.append(HTTPField("X-Mark", "\(visibleRevision(at: now))"))
        }
        return HTTPResponse(
            status: 200, fields: fields, body: Array("[\(texts.joined(separator: ","))]".utf8))
    }

    /// All changes up to this one are seen.
    private func visibleRevision(at now: Int64) -> Int64 {
        let unseen = rows.filter { $0.visible > now }.map(\.revision).min()
        return unseen.map { $0 - 1 } ?? revision
    }
}
