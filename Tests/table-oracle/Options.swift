/// What the command line asks for.
struct Options: Sendable {
    var seeds: ClosedRange<UInt64>?
    var trace: UInt64?

    enum Parsed {
        case run(Options)
        case help
        case wrong(String)
    }

    static let usage = """
        usage: table-oracle [--seeds A..B] [--trace SEED] [--help]

        Each seed is a run: random statements of programs and steps of syncd on the tables of a list, beside a model.
        Exit code 0: tables and model agreed; 1: they did not, and how was printed; 64: wrong usage.

          --seeds A..B  the seeds to run, A and B included
          --trace SEED  runs this one seed and prints every step
        """

    static func parse(_ arguments: [String]) -> Parsed {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--help" || name == "-h" { return .help }
            guard ["--seeds", "--trace"].contains(name) else {
                return .wrong("there is no \(name)")
            }
            guard let value = rest.popFirst() else { return .wrong("\(name) takes a value") }
            if name == "--seeds" {
                guard let range = range(value) else {
                    return .wrong("--seeds takes two numbers, such as 1..1000")
                }
                options.seeds = range
            } else {
                guard let seed = UInt64(value) else { return .wrong("--trace takes a seed") }
                options.trace = seed
            }
        }
        guard options.seeds != nil || options.trace != nil else {
            return .wrong("--seeds is missing")
        }
        return .run(options)
    }

    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        let bounds = text.split(separator: "..", omittingEmptySubsequences: false).map {
            UInt64($0)
        }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last
        else { return nil }
        return first...last
    }
}
