import Foundation
import Glibc
import Migrations
import Recovery
import Rules
import SQLite
import Store
import TestSupport
import Testing

/// Every page of a small cache is damaged in turn, at places all over it and at those that decide how
/// it is read. Whatever happens, what stock SQLite can still read of the queue is
/// there afterwards, or the cache is refused untouched.
@Suite struct `flipped bytes` {
    /// What the stock library reads of the queue without any help, row by row until it fails.
    private func readable(_ path: String) -> Set<Int64> {
        readable(path, of: "todos", EveryTodo.rows + " ON todo.id = row_id").union(
            readable(
                path, of: "notes",
                """
                (SELECT nr, title FROM notes UNION ALL SELECT id, c_title FROM d_notes) AS note
                ON note.nr = row_id
                """))
    }

    private func readable(_ path: String, of list: String, _ rows: String) -> Set<Int64> {
        var found: Set<Int64> = []
        do throws(SQLiteError) {
            let connection = try Connection(
                .file(path), access: .readWrite, busyTimeout: .zero)
            connection.keepWALOnClose()
            try connection.each(
                """
                SELECT seq, title FROM operation CROSS JOIN \(rows)
                WHERE list = '\(list)' AND kind IN ('create', 'delete')
                    AND state IN ('queued', 'sending', 'in doubt', 'rejected')
                ORDER BY seq
                """, []
            ) { row in
                if case .text = row.value(1) { found.insert(row.integer(0)) }
            }
        } catch {
            // What came before the error was readable, and a list that is not there has nothing.
        }
        return found
    }

    private enum Outcome: Hashable { case sound, salvaged, refused }

    private func outcome(of cache: DamagedCache, _ place: String) async throws -> Outcome {
        let expected = readable(cache.path)
        let report: SalvageReport?
        do throws(StoreError) {
            report = try cache.salvage()
        } catch {
            switch error {
            // Whether it is ours, or of a newer syncd, nobody can tell any more.
            case .foreignDatabase, .editedMigration, .newerSchema, .notADatabase: break
            default: Issue.record("\(place): \(error)")
            }
            #expect(!error.hint.isEmpty)
            return .refused
        }
        let store = try Cache.open(.file(cache.path))
        // SQLite reads a view with another letter in it; the check knows how it was made.
        let findings: [Finding]
        do throws(StoreError) {
            findings = report == nil ? try await store.check() : []
        } catch {
            // A letter in the name of a column: to SQLite the file is sound, and our statement wrong.
            guard case .statement = error else { throw error }
            #expect(!error.hint.isEmpty)
            return .refused
        }
        if findings.contains(where: { $0.remedy != nil }) { try await store.fix(findings) }
        let rows = Set(try await store.outbox().map(\.sequence.rawValue))
        let lost = expected.subtracting(rows).filter { row in
            report?.losses.contains("the content of operation \(row)") != true
        }
        #expect(lost == [], "\(place): \(String(describing: report))")
        guard let report else { return .sound }
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [], "\(place)")
        #expect(report.operations == rows.count, "\(place)")
        #expect(FileManager.default.fileExists(atPath: report.movedTo), "\(place)")
        return .salvaged
    }

    /// One copy of `cache` for each place, with the bits of `mask` flipped there.
    private func outcomes(
        of cache: DamagedCache, in suffix: String, at places: [Int], mask: UInt8
    ) async throws -> [Outcome: Int] {
        let (file, log) = (try cache.bytes(), try cache.bytes("-wal"))
        var outcomes: [Outcome: Int] = [:]
        for place in places {
            let copy = try DamagedCache(copyOf: file, log: log)
            var bytes = suffix.isEmpty ? file : log
            bytes[place] ^= mask
            try copy.write(bytes, suffix)
            outcomes[try await outcome(of: copy, "\(suffix) byte \(place)"), default: 0] += 1
        }
        return outcomes
    }

    @Test func `in the header are found, or change nothing`() async throws {
        let cache = try await DamagedCache()
        let outcomes = try await outcomes(of: cache, in: "", at: Array(0..<108), mask: 0x41)
        #expect((outcomes[.salvaged] ?? 0) > 30, "\(outcomes)")
        #expect((outcomes[.refused] ?? 0) <= 4, "\(outcomes)")
    }

    @Test func `in the pages of the queue lose nothing that can be read`() async throws {
        let cache = try await DamagedCache(todos: 60)
        var places: [Int] = []
        for table in [
            "operation", "todos", "s_todos", "d_todos", "sqlite_sequence", "operation_of_row",
        ] {
            let start = (try cache.root(of: table) - 1) * 4096
            places += Array(start..<start + 12) + stride(from: start, to: start + 4096, by: 211)
        }
        let outcomes = try await outcomes(of: cache, in: "", at: places, mask: 0x81)
        #expect((outcomes[.salvaged] ?? 0) > 20, "\(outcomes)")
        #expect(outcomes[.refused] == nil, "\(outcomes)")
    }

    @Test func `in the pages of a declared list lose nothing that can be read`() async throws {
        let cache = try await DamagedCache.withNotes()
        var places: [Int] = []
        for table in ["notes", "s_notes", "d_notes", "declared_list"] {
            let start = (try cache.root(of: table) - 1) * 4096
            places += Array(start..<start + 12)
            // A letter of a declaration can be another one: that is no damage, and no cache of ours.
            guard table != "declared_list" else { continue }
            places += Array(stride(from: start + 12, to: start + 4096, by: 149))
        }
        let outcomes = try await outcomes(of: cache, in: "", at: places, mask: 0x81)
        #expect((outcomes[.salvaged] ?? 0) > 20, "\(outcomes)")
        #expect(outcomes[.refused] == nil, "\(outcomes)")
    }

    @Test func `in any page lose nothing that can be read`() async throws {
        let cache = try await DamagedCache(todos: 20)
        let size = try cache.bytes().count
        let places = stride(from: 0, to: size, by: 4096).flatMap { [$0, $0 + 3, $0 + 2111] }
        let outcomes = try await outcomes(
            of: cache, in: "", at: places.filter { $0 < size }, mask: 0x0f)
        #expect((outcomes[.salvaged] ?? 0) > 20, "\(outcomes)")
    }

    /// SQLite takes the log to end there, and so does everybody.
    @Test func `in the log end it, and are no damage`() async throws {
        let cache = try await DamagedCache(inTheLog: true)
        let size = try cache.bytes("-wal").count
        let places =
            Array(0..<56) + stride(from: 56, to: size, by: 4093)
        let outcomes = try await outcomes(of: cache, in: "-wal", at: places, mask: 0x10)
        #expect(outcomes == [.sound: places.count])
    }
}
