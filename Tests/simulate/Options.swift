import EditWorld
import Foundation

/// What the command line asks for.
struct Options: Sendable {
    var seeds: ClosedRange<UInt64>?
    /// A file of seeds, one a line, each followed by the reason why it stands there.
    var list: [UInt64] = []
    var trace: UInt64?
    /// The laws of edits in small worlds, in place of the large ones.
    var isAboutEdits = false
    /// Small worlds of two lists whose rows refer to one another.
    var isAboutReferences = false
    /// Small worlds of a list of which only changes are asked for.
    var isAboutIncrements = false
    /// Small worlds of a list below the rows of another one.
    var isAboutParts = false
    /// In which ways servers of edits are unkind; nil for what each seed draws.
    var unkindness: Set<EditUnkindness>?

    enum Parsed {
        case run(Options)
        case help
        case wrong(String)
    }

    static let usage = """
        usage: simulate [--edits [--only NAMES] | --related | --since | --parts]
                        [--seeds A..B] [--list FILE] [--trace SEED] [--help]

        Each seed is a world: devices, other clients, a server with faults, crashes and full disks.
        Exit code 0: every law held; 1: one did not, and what failed was printed; 64: wrong usage.

          --edits       runs small worlds that are about edits, which are other seeds
          --related     runs small worlds of two lists whose rows refer to rows
          --since       runs small worlds of a list of which only changes are asked for
          --parts       runs small worlds of a list below the rows of another one
          --only NAMES  with --edits: each server is unkind in these ways, and in no other;
                        "none", or some of \(names)
          --seeds A..B  the seeds to run, A and B included
          --list FILE   also the seeds in FILE, one a line; what follows a seed is a remark
          --trace SEED  runs this one seed and prints everything that happens in it
        """

    private static let names = EditUnkindness.allCases.map(\.rawValue).joined(separator: ",")

    static func parse(_ arguments: [String]) -> Parsed {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--help" || name == "-h" { return .help }
            if ["--edits", "--related", "--since", "--parts"].contains(name) {
                options.isAboutEdits = name == "--edits"
                options.isAboutReferences = name == "--related"
                options.isAboutIncrements = name == "--since"
                options.isAboutParts = name == "--parts"
                continue
            }
            guard ["--seeds", "--list", "--trace", "--only"].contains(name) else {
                return .wrong("there is no \(name)")
            }
            guard let value = rest.popFirst() else { return .wrong("\(name) takes a value") }
            switch name {
            case "--seeds":
                guard let range = range(value) else {
                    return .wrong("--seeds takes two numbers, such as 1..1000")
                }
                options.seeds = range
            case "--only":
                guard let kinds = unkindness(value) else {
                    return .wrong("--only takes some of \(names), or none")
                }
                options.unkindness = kinds
            case "--trace":
                guard let seed = UInt64(value) else { return .wrong("--trace takes a seed") }
                options.trace = seed
            case _:
                guard let list = list(at: value) else {
                    return .wrong("\(value) cannot be read as a list of seeds")
                }
                options.list += list
            }
        }
        guard options.seeds != nil || !options.list.isEmpty || options.trace != nil else {
            return .wrong("--seeds is missing")
        }
        return .run(options)
    }

    private static func unkindness(_ text: String) -> Set<EditUnkindness>? {
        if text == "none" { return [] }
        let kinds = text.components(separatedBy: ",").map { EditUnkindness(rawValue: $0) }
        return kinds.contains(nil) ? nil : Set(kinds.compactMap(\.self))
    }

    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        let bounds = text.components(separatedBy: "..").map { UInt64($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last
        else { return nil }
        return first...last
    }

    private static func list(at path: String) -> [UInt64]? {
        // A file that cannot be read and one with a wrong line are told as the same mistake.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let seeds = lines.map { line in line.split(separator: " ").first.flatMap { UInt64($0) } }
        return seeds.contains(nil) ? nil : seeds.compactMap(\.self)
    }
}
