import TableOracle
import Testing

/// Random runs on the tables and on a model. `scripts/table-oracle` runs as many as wanted.
@Suite struct `a program's writes and syncd's steps` {
    @Test(arguments: 1...UInt64(12))
    func `leave tables and queue as the model has them`(seed: UInt64) throws {
        try Oracle(TableSchema()).run(seed: seed)
    }

    @Test func `are the same in each run of a seed`() throws {
        let oracle = Oracle(try TableSchema())
        #expect(try oracle.run(seed: 2) == oracle.run(seed: 2))
    }

    @Test func `are the same on a database that other runs have left`() throws {
        let schema = try TableSchema()
        let seeds: [UInt64] = Array(1...60)
        var steps: [UInt64: [String]] = [:]
        Oracle(schema).run(SeedGroups(seeds)) { seed, result in
            steps[seed] = try? result.get()
            return true
        }
        #expect(steps.keys.sorted() == seeds)
        for seed in seeds.suffix(20) {
            #expect(try Oracle(schema).run(seed: seed) == steps[seed], "seed \(seed)")
        }
    }

    @Test func `are shared out, each seed once`() {
        let groups = SeedGroups(1...1000)
        let shares = (1...3).map { groups.share($0, of: 3).seeds }
        #expect(shares.flatMap(\.self).sorted() == Array(1...1000))
        #expect(shares.allSatisfy { 300...366 ~= $0.count })
    }

    @Test(arguments: [
        // A row that is written over is marked, but none of its fields.
        (#"'update', NEW."id", 15,"#, #"'update', NEW."id", 0,"#),
        // A delete that is dropped leaves its row hidden.
        (
            #"FROM "d_notes" AS hidden CROSS JOIN"#,
            #"FROM (SELECT * FROM "d_notes" WHERE false) AS hidden CROSS JOIN"#
        ),
        // A row whose create was just withdrawn is a new one.
        (
            """
            OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'create')
            """, ""
        ),
        // A second edit forgets the first one.
        ("SET fields = fields | (iif(", "SET fields = (iif("),
        // Any number can stand in a column of rows.
        (
            #"NOT EXISTS (SELECT 1 FROM "books" AS parent"#,
            #"false AND NOT EXISTS (SELECT 1 FROM "books" AS parent"#
        ),
        // A row whose book a program has deleted takes no edit any more.
        (#"WHERE NEW."book" IS NOT OLD."book";"#, ";"),
        // A row comes back only if its book is still there.
        (
            """
            NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
                    AND hidden."c_book" IS NEW."book")
            """, "true"
        ),
    ])
    func `tell of a break in the schema`(piece: String, other: String) throws {
        let broken = Oracle(try #require(try TableSchema().replacing(piece, by: other)))
        #expect(throws: Disagreement.self) {
            for seed in 1...UInt64(100) { try broken.run(seed: seed) }
        }
    }
}
