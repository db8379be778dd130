import Foundation
import Testing

/// The table of docs/sql.md against the schema of a new cache.
@Suite struct ContractTests {
    /// The columns that the page names, by the table or view; `invariant_…` stands for all that begin so.
    private func told() throws -> [String: [String]] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/sql.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let header = try #require(lines.firstIndex(of: "| table or view | columns | writable |"))
        var told: [String: [String]] = [:]
        for line in lines[(header + 2)...].prefix(while: { $0.hasPrefix("| ") }) {
            let cells = line.dropFirst(2).components(separatedBy: " | ")
            // What stands in brackets or behind a semicolon is about the columns before it.
            let columns = cells[1].replacing(/\s\([^()]*\)/, with: "").prefix { $0 != ";" }
            let name = cells[0].trimmingCharacters(in: ["`"])
            #expect(told[name] == nil, "\(name) is there twice")
            told[name] = columns.matches(of: /`([^`]+)`/).map { String($0.output.1) }
        }
        return told
    }

    @Test func `the page names every table and view with its columns in their order, and no other`()
        async throws
    {
        let rows = try await Cache().rows(
            """
            SELECT object.name, info.name FROM sqlite_schema AS object
            JOIN pragma_table_info(object.name) AS info
            WHERE object.type = 'view' OR object.name IN ('movies', 'movie_search', 'todos')
            ORDER BY object.name, info.cid
            """)
        var found: [String: [String]] = [:]
        for row in rows {
            let pair = row.components(separatedBy: "|")
            found[pair[0], default: []].append(pair[1])
        }
        var told = try told()
        // Those of any list.
        told = told.filter { !$0.key.hasPrefix("NAME_") && !$0.key.hasPrefix("the name of") }
        let laws = told.removeValue(forKey: "invariant_…")
        let invariants = found.filter { $0.key.hasPrefix("invariant_") }
        #expect(invariants.count >= 15)
        for (name, columns) in invariants { #expect(columns == laws, "\(name)") }
        found = found.filter { !$0.key.hasPrefix("invariant_") }
        #expect(told.keys.sorted() == found.keys.sorted())
        for (name, columns) in found { #expect(told[name] == columns, "\(name)") }
    }
}
