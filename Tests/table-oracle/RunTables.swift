import Foundation
import TableOracle

/// Runs seeds of the random test of tables, one after another.
@main struct RunTables {
    /// So many failing seeds are enough for a person.
    private static let mostFailures = 20

    static func main() {
        let options: Options
        switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
        case .run(let parsed): options = parsed
        case .help: return say(Options.usage)
        case .wrong(let problem):
            complain("table-oracle: \(problem)\n\(Options.usage)")
            exit(64)
        }
        let schema: TableSchema
        do {
            schema = try TableSchema()
        } catch {
            complain("table-oracle: no schema to run on: \(error)")
            exit(74)
        }
        if let seed = options.trace {
            exit(trace(seed, Oracle(schema)) ? 0 : 1)
        }
        exit(run(options, schema) ? 0 : 1)
    }

    /// Whether tables and model agreed in every run.
    private static func run(_ options: Options, _ schema: TableSchema) -> Bool {
        guard let seeds = options.seeds else { return true }
        var (count, failed) = (0, 0)
        let share = SeedGroups(seeds)
            .share(options.share.number, of: options.share.count)
        Oracle(schema).run(share) { seed, result in
            count += 1
            if case .failure(let disagreement) = result {
                failed += 1
                say("\(disagreement)\nagain: scripts/table-oracle --trace \(seed)")
            }
            return failed < mostFailures
        }
        say("\(count) seeds, \(failed) failed")
        return failed == 0
    }

    private static func trace(_ seed: UInt64, _ oracle: Oracle) -> Bool {
        do {
            let steps = try oracle.run(seed: seed)
            say((steps + ["seed \(seed): tables and model agree"]).joined(separator: "\n"))
            return true
        } catch {
            say((error.steps + ["seed \(seed): \(error.problem)"]).joined(separator: "\n"))
            return false
        }
    }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
