import SQLite

/// A statement of a program on the rows that notes refer to.
struct BookStatement {
    let sql: String
    let values: [Value]
    let effect: (inout ModelBooks) throws -> Void

    init(_ random: inout SeededGenerator, on books: ModelBooks) {
        let id = random.element(of: Array(1...books.largestID + 1))
        switch random.number(0...99) {
        case ..<25:
            self.init("INSERT INTO books (title) VALUES ('x')") {
                try $0.insert(nil, replaces: false)
            }
        case ..<40:
            self.init("INSERT INTO books (id, title) VALUES (?, 'x')", id) {
                try $0.insert(id, replaces: false)
            }
        case ..<60:
            self.init("INSERT OR REPLACE INTO books (id, title) VALUES (?, 'y')", id) {
                try $0.insert(id, replaces: true)
            }
        default: self.init("DELETE FROM books WHERE id = ?", id) { $0.delete(id) }
        }
    }

    private init(
        _ sql: String, _ id: Int64? = nil, effect: @escaping (inout ModelBooks) throws -> Void
    ) {
        self.sql = sql
        values = id.map { [.integer($0)] } ?? []
        self.effect = effect
    }

    /// For a trace.
    var shown: String { values.isEmpty ? sql : "\(sql) \(values.map(\.shown))" }
}
