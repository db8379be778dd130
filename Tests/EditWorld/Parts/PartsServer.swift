import APIClient

/// A server with a list, and a list below each of its rows. Titles tell all rows apart.
struct PartsServer {
    /// A row of the list above.
    struct Above: Hashable {
        let id: Int64
        let title: String
        /// Counts the changes below it that it shows.
        var touched: Int64 = 0
    }

    /// A row below one of those.
    struct Row: Hashable {
        let id: Int64
        let title: String
        var value: Int64
        var above: Int64
        /// Where it was before, and until when it is shown there as well.
        var before: (above: Int64, until: Int64)?
        /// From when on its part shows it.
        var visible: Int64 = 0

        static func == (one: Row, other: Row) -> Bool { one.id == other.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    let setting: PartsSetting
    private(set) var above: [Above] = []
    private(set) var rows: [Row] = []
    private var lastID: Int64 = 100
    /// How the lists of parts are answered next, by the row above.
    var statuses: [Int64: Int] = [:]
    /// The parts that are empty in their next answers.
    var empty: Set<Int64> = []
    var isAboveEmpty = false

    init(_ setting: PartsSetting) { self.setting = setting }

    private mutating func newID() -> Int64 {
        lastID += 1
        return lastID
    }

    private mutating func touch(_ id: Int64, _ isSilent: Bool) {
        guard !isSilent, let place = above.firstIndex(where: { $0.id == id }) else { return }
        above[place].touched += 1
    }

    mutating func addAbove(_ title: String) -> Above {
        let row = Above(id: newID(), title: title)
        above.append(row)
        return row
    }

    /// Removes everything below it, too, and returns the titles of that.
    mutating func removeAbove(_ id: Int64) -> [String]? {
        guard let place = above.firstIndex(where: { $0.id == id }) else { return nil }
        above.remove(at: place)
        let gone = rows.filter { $0.above == id }.map(\.title)
        rows.removeAll { $0.above == id }
        return gone
    }

    /// Nil where there is no such row above.
    mutating func add(
        _ title: String, _ value: Int64, below id: Int64, from visible: Int64, isSilent: Bool
    ) -> Row? {
        guard above.contains(where: { $0.id == id }) else { return nil }
        let row = Row(id: newID(), title: title, value: value, above: id, visible: visible)
        rows.append(row)
        touch(id, isSilent)
        return row
    }

    mutating func edit(_ id: Int64, to value: Int64, isSilent: Bool) -> Row? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        rows[place].value = value
        touch(rows[place].above, isSilent)
        return rows[place]
    }

    mutating func move(_ id: Int64, to new: Int64, until moment: Int64, isSilent: Bool) {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return }
        let old = rows[place].above
        rows[place].before = (old, moment)
        rows[place].above = new
        touch(old, isSilent)
        touch(new, isSilent)
    }

    mutating func remove(_ id: Int64, isSilent: Bool) -> Bool {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return false }
        touch(rows[place].above, isSilent)
        rows.remove(at: place)
        return true
    }

    // MARK: What is seen

    static func text(_ row: Above) -> String {
        #"{"id":\#(row.id),"title":"\#(row.title)","touched":\#(row.touched)}"#
    }

    static func text(_ row: Row) -> String {
        #"{"id":\#(row.id),"title":"\#(row.title)","value":\#(row.value)}"#
    }

    private static func list(_ texts: [String]) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array("[\(texts.joined(separator: ","))]".utf8))
    }

    mutating func listAbove() -> HTTPResponse {
        Self.list(isAboveEmpty ? [] : above.map(Self.text))
    }

    mutating func list(below id: Int64, from offset: Int, at now: Int64) -> HTTPResponse {
        if let status = statuses[id] { return HTTPResponse(status: status) }
        guard above.contains(where: { $0.id == id }) else { return HTTPResponse(status: 404) }
        var shown = rows.filter { row in
            let isBefore = row.before.map { $0.above == id && now < $0.until } ?? false
            return row.visible <= now && (row.above == id || isBefore)
        }
        if empty.contains(id) { shown = [] }
        let start = min(offset, shown.count)
        let end = setting.size.map { min(start + $0, shown.count) } ?? shown.count
        return Self.list(shown[start..<end].map(Self.text))
    }
}
