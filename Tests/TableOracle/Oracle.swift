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

    /// One run.
    ///
    /// - Parameter seed: decides every step.
    /// - Returns: the steps, for a person.
    /// - Throws: the first disagreement.
    @discardableResult
    package func run(seed: UInt64) throws(Disagreement) -> [String] {
        var trace: [String] = []
        do {
            let run = try OracleRun(seed: seed, schema: schema)
            defer { trace = run.trace }
            if run.model.setting.isBusy { try run.begin() }
            for step in 1...Self.stepCount { try run.step(step) }
        } catch {
            throw Disagreement(seed: seed, problem: "\(error)", steps: trace)
        }
        return trace
    }
}
