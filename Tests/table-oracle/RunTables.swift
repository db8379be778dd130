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
        let oracle: Oracle
        do {
            oracle = Oracle(try TableSchema())
        } catch {
            complain("table-oracle: no schema to run on: \(error)")
            exit(74)
        }
        if let seed = options.trace {
            exit(trace(seed, oracle) ? 0 : 1)
        }
        exit(run(options.seeds, oracle) ? 0 : 1)
    }

    /// Whether tables and model agreed in every run.
    private static func run(_ seeds: ClosedRange<UInt64>?, _ oracle: Oracle) -> Bool {
        var (count, failed) = (0, 0)
        for seed in seeds.map({ Array($0) }) ?? [] where failed < mostFailures {
            count += 1
            do {
                try oracle.run(seed: seed)
            } catch {
                failed += 1
                say("\(error)\nagain: scripts/table-oracle --trace \(seed)")
            }
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
