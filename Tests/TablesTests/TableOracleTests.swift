import TableOracle
import Testing

/// Random runs on the tables and on a model. `scripts/table-oracle` runs as many as wanted.
@Suite struct `a program's writes and syncd's steps` {
    @Test(arguments: 1...UInt64(8))
    func `leave tables and queue as the model has them`(seed: UInt64) throws {
        try Oracle(TableSchema()).run(seed: seed)
    }

    @Test func `are the same in each run of a seed`() throws {
        let oracle = Oracle(try TableSchema())
        #expect(try oracle.run(seed: 2) == oracle.run(seed: 2))
    }

    @Test(arguments: [
        // A row that is written over is marked, but none of its fields.
        (#"'update', NEW."id", 7,"#, #"'update', NEW."id", 0,"#),
        // A delete that goes shows its row, though it is shown.
        (
            #"AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = OLD.row_id)"#,
            ""
        ),
        // A row whose create was just withdrawn is a new one.
        (
            """
            OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create')
            """, ""
        ),
        // A second edit forgets the first one.
        ("SET fields = fields | iif(", "SET fields = iif("),
    ])
    func `tell of a break in the schema`(piece: String, other: String) throws {
        let broken = Oracle(try #require(try TableSchema().replacing(piece, by: other)))
        #expect(throws: Disagreement.self) {
            for seed in 1...UInt64(100) { try broken.run(seed: seed) }
        }
    }
}
