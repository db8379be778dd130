import Testing

@testable import SQLite

/// What a connection keeps of its statements.
@Suite struct StatementCacheTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
    }

    @Test func `a statement is prepared once`() throws {
        let first = try connection.statement("SELECT 1")
        #expect(try connection.statement("SELECT 1") === first)
    }

    @Test func `those that were used longest ago go when there are too many bytes`() throws {
        var cache = StatementCache(capacity: 10_000)
        let often = try connection.prepare("SELECT 'often'")
        cache.keep(often)
        var weak: [() -> Statement?] = []
        for number in 0..<100 {
            let statement = try connection.prepare("SELECT \(number)")
            weak.append { [weak statement] in statement }
            cache.keep(statement)
            #expect(cache.statement(for: statement.sql) === statement)
            #expect(cache.statement(for: often.sql) === often)
        }
        let alive = weak.map { $0() != nil }
        #expect(alive.last == true)
        #expect(alive.first == false)
        let bytes = weak.compactMap { $0()?.memory }.reduce(0, +) + often.memory
        #expect(bytes <= 10_000)
    }

    @Test func `a connection at rest keeps one MiB of them, and the last`() throws {
        var weak: [() -> Statement?] = []
        let text = String(repeating: "x", count: 50_000)
        for number in 0..<30 {
            let statement = try connection.statement("SELECT \(number), '\(text)'")
            weak.append { [weak statement] in statement }
        }
        func bytes() -> Int { weak.compactMap { $0()?.memory }.reduce(0, +) }
        #expect(weak.allSatisfy { $0() != nil })
        #expect(bytes() > 1 << 20)
        connection.releaseMemory()
        #expect(bytes() <= 1 << 20)
        #expect(weak.last?() != nil)
    }

    @Test func `one that is larger than all that may be kept is kept until the next`() throws {
        var cache = StatementCache(capacity: 1)
        let first = try connection.prepare("SELECT 1")
        cache.keep(first)
        #expect(cache.statement(for: first.sql) === first)
        cache.keep(try connection.prepare("SELECT 2"))
        #expect(cache.statement(for: first.sql) == nil)
    }

    @Test func `one that goes while somebody reads its rows is read to its end`() throws {
        var cache = StatementCache(capacity: 1)
        let numbers = try connection.prepare("VALUES (1), (2), (3)")
        cache.keep(numbers)
        var read: [Int64] = []
        while try numbers.step() {
            read.append(numbers.integer(0))
            cache.keep(try connection.prepare("SELECT \(read.count)"))
        }
        #expect(read == [1, 2, 3])
    }
}
