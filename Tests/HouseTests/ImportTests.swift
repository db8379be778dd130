import Testing

@Suite struct ImportTests {
    private let repository = Repository()

    private func table() throws -> ImportTable {
        ImportTable(try repository.text(of: "ARCHITECTURE.md"))
    }

    @Test func `every import of every room stands in the table of ARCHITECTURE`() throws {
        let rule = ImportRule(table: try table())
        let files = try repository.roomFiles()
        #expect(!files.isEmpty)
        let findings = try files.flatMap {
            rule.findings(in: try repository.text(of: $0), at: $0)
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `the table names the rooms and dependencies of the package manifest`() throws {
        let manifest = Manifest(try repository.text(of: "Package.swift"))
        let named = try table().rows.map { ($0.room, Set($0.rooms)) }
        let rooms = Dictionary(named) { first, _ in first }
        #expect(rooms.count == named.count, "a room has two rows in ARCHITECTURE.md")
        #expect(
            rooms == manifest.rooms,
            "Make the table between the imports markers of ARCHITECTURE.md and Package.swift agree")
        #expect(rooms["Commands"]?.count ?? 0 > 5)
    }

    @Test func `arrows only go down`() throws {
        let rows = try table().rows
        #expect(rows.count > 10)
        for (index, row) in rows.enumerated() {
            let below = Set(rows[(index + 1)...].map(\.room))
            let upwards = row.rooms.filter { !below.contains($0) }
            #expect(
                upwards.isEmpty,
                "ARCHITECTURE.md:\(row.line): \(row.room) imports \(upwards), not below it")
        }
        let floors = rows.compactMap(\.floor)
        #expect(floors == floors.sorted(by: >), "The floors of the table do not go down")
    }

    @Test func `no room of the house knows a room beside it, but for its program`() throws {
        let rows = try table().rows
        let beside = Set(rows.filter { $0.floor == nil }.map(\.room))
        for row in rows where row.floor != nil && row.room != "demo-api" {
            #expect(
                beside.isDisjoint(with: row.rooms),
                "ARCHITECTURE.md:\(row.line): \(row.room) imports a room beside the house")
        }
    }

    @Test func `only the transport over URLSession and its double may use the whole of Foundation`()
        throws
    {
        let exempt: Set = ["URLSessionHTTP", "URLSessionTesting"]
        for row in try table().rows where !exempt.contains(row.room) {
            #expect(
                Set(row.toolchain).isDisjoint(with: ["Foundation", "FoundationNetworking"]),
                "ARCHITECTURE.md:\(row.line): \(row.room) needs FoundationEssentials instead")
        }
    }

    @Test(arguments: [
        ("import Glibc", "Glibc"), ("@preconcurrency public import Dispatch", "Dispatch"),
        ("  package import CCurl", "CCurl"), ("import func Glibc.write", "Glibc"),
        ("@_exported import Store", "Store"), ("internal import struct Store.Row;", "Store"),
    ])
    func `an import is seen in every form`(code: String, module: String) {
        #expect(ImportRule.module(importedBy: code) == module)
    }

    @Test(arguments: ["let important = 1", "func importRows() {}", "// import Glibc", ""])
    func `what is no import is none`(code: String) {
        #expect(ImportRule.module(importedBy: SwiftCode(code).code[0]) == nil)
    }

    @Test func `a forbidden import is found with its line`() {
        let table = ImportTable(
            """
            <!-- imports:begin -->
            | floor | room | house | toolchain |
            | --- | --- | --- | --- |
            | 1 | `Store` | `SQLite` | `Glibc` |
            <!-- imports:end -->
            """)
        let rule = ImportRule(table: table)
        let text = "import SQLite\nimport Glibc\n// import Host\npublic import Foundation\n"
        let findings = rule.findings(in: text, at: "Sources/Store/Rows.swift")
        #expect(findings.map(\.line) == [4])
        #expect(rule.findings(in: "", at: "Sources/Attic/A.swift").count == 1)
        #expect(table.rows.map(\.floor) == [1])
    }

    @Test func `the manifest is read with its dependencies and embedded files`() {
        let manifest = Manifest(
            """
            func room(
                _ name: String, path: String? = "x"
            )
            .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["lib"])]),
            room("Store", ["SQLite", "Host"], lists: [.embedInCode("0001_a_b.sql")]),
            room(
                "Commands",
                [
                    "Rendering", "Daemon",
                ]),
            room("Rendering"),
            .executableTarget(name: "syncd", dependencies: ["Commands"], swiftSettings: s),
            """)
        #expect(
            manifest.rooms == [
                "CSQLite": [], "Store": ["SQLite", "Host"], "Commands": ["Rendering", "Daemon"],
                "Rendering": [], "syncd": ["Commands"],
            ])
        #expect(manifest.embedded == ["0001_a_b.sql"])
    }
}
