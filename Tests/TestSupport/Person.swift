import SQLite
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
    }

    private let books = Mutex(Books())
    private let random: SeededRandom

    init(random: SeededRandom) { self.random = random }

    /// From now on the cache is the file at `path`.
    func open(_ path: String) throws {
        try books.withLock {
            $0.cache = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(2))
        }
    }

    /// How often which title must be at the server; titles are compared byte for byte.
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
            random.happens(70)
            ? freshTitle("todo") : ["milk", "milk ", "Brot\u{301}"][random.index(3)]
        try books.withLock { books in
            guard let cache = books.cache else { return }
            try cache.run("INSERT INTO todos (title) VALUES (?)", .text(title))
            books.expected[title, default: 0] += 1
            books.log.append("add \(title)")
        }
    }

    /// Deletes one of the todos that are there to see.
    func remove() throws {
        try books.withLock { books in
            guard let cache = books.cache else { return }
            let visible = try cache.all("SELECT id, title, state FROM todos ORDER BY id") {
                ($0.integer(0), $0.text(1), $0.text(2))
            }
            guard let (id, title, state) = random.element(of: visible) else { return }
            try cache.run("DELETE FROM todos WHERE id = ?", .integer(id))
            // What another client added, it may have deleted before.
            let isOthers = title.hasPrefix("other-") || title.hasPrefix("first-")
            books.expected[title] = isOthers ? 0 : (books.expected[title] ?? 0) - 1
            books.log.append("remove \(id) \(title) (\(state))")
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
