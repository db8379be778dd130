import EditWorld
import Foundation
import Glibc
import Host
import SimulatedWorld

/// Runs seeds of the simulation, one after another.
@main struct Simulate {
    static func main() async {
        let options: Options
        switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
        case .run(let parsed): options = parsed
        case .help: return say(Options.usage)
        case .wrong(let problem):
            complain("simulate: \(problem)\n\(Options.usage)")
            exit(64)
        }
        if options.isAboutEdits {
            let kinds = options.unkindness
            let named = kinds.map { kinds in
                kinds.isEmpty ? "none" : kinds.map(\.rawValue).sorted().joined(separator: ",")
            }
            let option = "--edits" + (named.map { " --only \($0)" } ?? "")
            let runner = SmallRunner<EditWorkshop>(option: option) { seed in
                EditPlan(seed: seed, only: kinds)
            }
            exit(await status(of: options, by: runner))
        }
        if options.isAboutReferences {
            let runner = SmallRunner<RelatedWorkshop>(option: "--related") { seed in
                RelatedPlan(seed: seed)
            }
            exit(await status(of: options, by: runner))
        }
        if options.isAboutIncrements {
            let runner = SmallRunner<SinceWorkshop>(option: "--since") { SincePlan(seed: $0) }
            exit(await status(of: options, by: runner))
        }
        if options.isAboutParts {
            let runner = SmallRunner<PartsWorkshop>(option: "--parts") { PartsPlan(seed: $0) }
            exit(await status(of: options, by: runner))
        }
        let disk: Disk
        do {
            disk = try Disk()
        } catch {
            complain("simulate: no disk to run on: \(error)")
            exit(74)
        }
        let runner = Runner(disk: disk)
        if let seed = options.trace {
            let isClean = await runner.trace(seed)
            // `exit` does not release the disk's folder.
            disk.remove()
            exit(isClean ? 0 : 1)
        }
        let failed = await runner.run(options.seeds, listed: options.list)
        disk.remove()
        exit(failed == 0 ? 0 : 1)
    }

    private static func status<Workshop>(
        of options: Options, by runner: SmallRunner<Workshop>
    ) async -> Int32 {
        if let seed = options.trace { return await runner.trace(seed) ? 0 : 1 }
        return await runner.run(options.seeds, listed: options.list) == 0 ? 0 : 1
    }

    static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
