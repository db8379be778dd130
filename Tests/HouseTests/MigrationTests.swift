import Testing

@Suite struct MigrationTests {
    private let repository = Repository()

    @Test func `the folder is the list of the manifest, numbered without gaps`() throws {
        let files = try repository.files(below: "Migrations", suffix: ".sql")
            .map { String($0.dropFirst("Migrations/".count)) }
        let manifest = Manifest(try repository.text(of: "Package.swift"))
        let embedded = manifest.embedded.filter { $0.hasSuffix(".sql") }
        let findings = MigrationFolder.findings(files: files, embedded: embedded)
        #expect(!files.isEmpty && findings.isEmpty, "\(findings.report)")
    }

    @Test func `every migration says why, which invariant it adds and how to check it`() throws {
        let findings = try repository.files(below: "Migrations", suffix: ".sql").flatMap { path in
            MigrationFolder.headFindings(
                file: String(path.dropFirst("Migrations/".count)),
                text: try repository.text(of: path))
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test(arguments: [
        (["0001_create_cache.sql", "0003_add_index.sql"], 1), (["0002_create_cache.sql"], 1),
        (["0001-create.sql"], 1), (["0001_create.sql"], 1), (["0001_create_cache.sql"], 0),
    ])
    func `a gap and a wrong name are found`(files: [String], count: Int) {
        #expect(MigrationFolder.findings(files: files, embedded: files).count == count)
    }

    @Test func `a file that is not embedded, or embedded twice, is found`() {
        let files = ["0001_create_cache.sql"]
        #expect(MigrationFolder.findings(files: files, embedded: []).count == 1)
        #expect(MigrationFolder.findings(files: files, embedded: files + files).count == 1)
        #expect(MigrationFolder.findings(files: [], embedded: files).count == 1)
    }

    @Test func `a missing line on top is found`() {
        let text = "-- Why: a\n-- Invariant: b\nCREATE TABLE t(a);\n"
        #expect(MigrationFolder.headFindings(file: "a.sql", text: text).map(\.line) == [3])
        #expect(MigrationFolder.headFindings(file: "a.sql", text: "").count == 3)
    }
}
