import SQLite
import SyncEngine
import Synchronization

/// Who changes todos by plain SQL, and keeps the books: what must be at the server in the end.
///
/// Safe to call at any moment of a cycle, as a script on the machine is.
package final class Person: Sendable {
    private struct Books {
        var cache: Connection?
        var nextTitle = 0
        var expected: [String: Int] = [:]
        var log: [String] = []
        /// Local ids of todos that the server has forgotten; they leave with a later pull.
        var lost: Set<Int64> = []
    }

    private let books = Mutex(Books())
    private let random: SeededRandom
    /// The server changes titles within folding, so that the books go by folded titles.
    private let foldsTitles: Bool
    /// No two todos have one title: after the server forgot everything, a row with the id and the
    /// title of a row is that row, as the documents say.
    private let usesFreshTitles: Bool

    init(random: SeededRandom, foldsTitles: Bool, usesFreshTitles: Bool) {
        self.random = random
        self.foldsTitles = foldsTitles
        self.usesFreshTitles = usesFreshTitles
    }

    /// What the books call a title.
    func entry(_ title: String) -> String {
        foldsTitles ? FoldedTitle(title).description : title
    }

    private static func isOthers(_ title: String) -> Bool {
        title.hasPrefix("other-") || title.hasPrefix("first-")
    }

    /// From now on the cache is the file at `path`.
    func open(_ path: String) throws {
        try books.withLock {
            $0.cache = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(2))
        }
    }

    /// How often which title must be at the server.
    var expected: [String: Int] {
        books.withLock { $0.expected.filter { $0.value != 0 } }
    }

    var log: [String] { books.withLock { $0.log } }

    func note(_ line: String) { books.withLock { $0.log.append(line) } }

    /// A title that nobody used before.
    func freshTitle(_ prefix: String) -> String {
        books.withLock { books in
            books.nextTitle += 1
            return "\(prefix)-\(books.nextTitle)"
        }
    }

    /// Somebody else changed how many rows of this title there are.
    func expect(_ count: Int, of title: String) {
        books.withLock { $0.expected[title] = count }
    }

    /// Adds a todo: one of its own title, or one that equals others.
    func add() throws {
        let title =
            usesFreshTitles || random.happens(70)
            ? freshTitle(foldsTitles && random.happens(50) ? " todo  no" : "todo")
            : ["milk", "milk ", "Brot\u{301}"][random.index(3)]
        try books.withLock { books in
            guard let cache = books.cache else { return }
            try cache.run("INSERT INTO todos (title) VALUES (?)", .text(title))
            books.expected[entry(title), default: 0] += 1
            books.log.append("add \(title)")
        }
    }

    /// Deletes one of the todos that are there to see.
    func remove() throws {
        try books.withLock { books in
            guard let cache = books.cache else { return }
            let visible = try cache.all(
                "SELECT id, title, state, server_id IS NULL FROM todos ORDER BY id"
            ) { ($0.integer(0), $0.text(1), $0.text(2), $0.integer(3) == 1) }
            guard let (id, title, state, isNew) = random.element(of: visible) else { return }
            try cache.run("DELETE FROM todos WHERE id = ?", .integer(id))
            books.log.append("remove \(id) \(title) (\(state))")
            if Self.isOthers(title) {
                // What another client added, it may have deleted before.
                books.expected[entry(title)] = 0
            } else if !books.lost.contains(id), state != "rejected" || isNew {
                // A rejected delete is off the books since it was queued first.
                books.expected[entry(title), default: 0] -= 1
            }
        }
    }

    /// Retries or drops what the server refused, as `syncd outbox` does.
    func mend() throws {
        try books.withLock { books in
            guard let cache = books.cache else { return }
            let rejected = try cache.all(
                "SELECT seq, op, title FROM outbox WHERE state = 'rejected' ORDER BY seq"
            ) { ($0.integer(0), $0.text(1), $0.text(2)) }
            guard let (sequence, kind, title) = random.element(of: rejected) else { return }
            // Whether the row of a delete is still there, the person does not know.
            let mayDrop = kind == "create" || !usesFreshTitles && !Self.isOthers(title)
            guard mayDrop, random.happens(40) else {
                try cache.run(
                    "UPDATE outbox SET state = 'queued' WHERE seq = ?", .integer(sequence))
                books.log.append("retry \(kind) of \(title)")
                return
            }
            try cache.run("DELETE FROM outbox WHERE seq = ?", .integer(sequence))
            books.expected[entry(title), default: 0] += kind == "create" ? -1 : 1
            books.log.append("drop \(kind) of \(title)")
        }
    }

    /// Retries everything that the server refused.
    func retryAll() throws {
        try books.withLock { books in
            _ = try books.cache?.run("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")
        }
    }

    /// The server has forgotten everything: what was acknowledged is gone, what was not is still
    /// to come.
    func noteAmnesia() throws {
        try books.withLock { books in
            guard let cache = books.cache else { return }
            let known = try cache.all(
                "SELECT id, title, state FROM todos WHERE server_id IS NOT NULL"
            ) { ($0.integer(0), $0.text(1), $0.text(2)) }
            for (id, title, state) in known where books.lost.insert(id).inserted {
                if !Self.isOthers(title), state != "rejected" {
                    books.expected[entry(title), default: 0] -= 1
                }
            }
            for title in books.expected.keys where Self.isOthers(title) {
                books.expected[title] = 0
            }
            books.log.append("the server forgets everything")
        }
    }

    /// Reads from the cache as a script does.
    func read<Result>(_ body: (Connection) throws -> sending Result) throws -> Result? {
        try books.withLock { books in
            guard let cache = books.cache else { return nil }
            return try body(cache)
        }
    }
}
