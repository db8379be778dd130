import SQLite

/// A random test of a table that programs write to: the same steps on the generated schema and on a model.
///
/// Programs run statements of every form, a person drops and retries operations, syncd sends, hears answers
/// and pulls. After each step table, queue and requests must be as the model has them.
package struct Oracle: Sendable {
    private let schema: TableSchema
    private static let stepCount = 45

    /// Runs on `schema`.
    package init(_ schema: TableSchema) { self.schema = schema }

    /// One run, on a database of its own.
    ///
    /// - Parameter seed: decides every step.
    /// - Returns: the steps, for a person.
    /// - Throws: the first disagreement.
    @discardableResult
    package func run(seed: UInt64) throws(Disagreement) -> [String] {
        var database: OracleDatabase?
        return try run(seed: seed, on: &database)
    }

    /// A run for each seed. The runs of a group take turns with one database.
    ///
    /// - Parameters:
    ///   - seeds: what decides every step.
    ///   - body: takes each seed with its steps, or with the first disagreement. False ends it all.
    package func run(
        _ seeds: SeedGroups, body: (UInt64, Result<[String], Disagreement>) -> Bool
    ) {
        for group in seeds.groups {
            var database: OracleDatabase?
            for seed in group {
                let result = Result { () throws(Disagreement) in
                    try run(seed: seed, on: &database)
                }
                guard body(seed, result) else { return }
            }
        }
    }

    /// `database`: what the run before has left; nil without one, or if that cannot be used again.
    private func run(
        seed: UInt64, on database: inout OracleDatabase?
    ) throws(Disagreement) -> [String] {
        var trace: [String] = []
        do {
            let empty = try emptied(database, for: seed)
            database = nil
            let run = OracleRun(seed: seed, schema: schema, on: empty)
            defer { trace = run.trace }
            try ModelBooks.make(in: empty.connection)
            if run.model.setting.isBusy { try run.begin() }
            for step in 1...Self.stepCount { try run.step(step) }
            database = empty
        } catch {
            throw Disagreement(seed: seed, problem: "\(error)", steps: trace)
        }
        return trace
    }

    private func emptied(_ used: OracleDatabase?, for seed: UInt64) throws -> OracleDatabase {
        // In a broken schema nothing has to work. Then the run shows it, on a new database.
        if let used, (try? used.isEmptied()) == true { return used }
        var random = SeededGenerator(seed: seed)
        return try OracleDatabase(schema, Setting(seed: seed, &random))
    }
}
