/// What the command line asks for.
struct Options: Sendable {
    var seeds: ClosedRange<UInt64>?
    var share = (number: 1, count: 1)
    var trace: UInt64?

    enum Parsed {
        case run(Options)
        case help
        case wrong(String)
    }

    static let usage = """
        usage: table-oracle [--seeds A..B] [--share I/N] [--trace SEED] [--help]

        Each seed is a run: random statements of programs and steps of syncd on the tables of a list, beside a model.
        Exit code 0: tables and model agreed; 1: they did not, and how was printed; 64: wrong usage.

          --seeds A..B  the seeds to run, A and B included
          --share I/N   runs only the share I of N, from 1: N processes together run each seed once
          --trace SEED  runs this one seed and prints every step
        """

    static func parse(_ arguments: [String]) -> Parsed {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--help" || name == "-h" { return .help }
            guard ["--seeds", "--share", "--trace"].contains(name) else {
                return .wrong("there is no \(name)")
            }
            guard let value = rest.popFirst() else { return .wrong("\(name) takes a value") }
            switch name {
            case "--seeds":
                guard let range = range(value) else {
                    return .wrong("--seeds takes two numbers, such as 1..1000")
                }
                options.seeds = range
            case "--share":
                guard let share = share(value) else {
                    return .wrong("--share takes a number and how many there are, such as 1/2")
                }
                options.share = share
            default:
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
        guard let (first, last) = pair(text, of: UInt64.self, by: ".."), first <= last else {
            return nil
        }
        return first...last
    }

    private static func share(_ text: String) -> (number: Int, count: Int)? {
        guard let (number, count) = pair(text, of: Int.self, by: "/"), number >= 1,
            number <= count, count <= 999
        else { return nil }
        return (number, count)
    }

    private static func pair<Number: FixedWidthInteger>(
        _ text: String, of type: Number.Type, by separator: String
    ) -> (Number, Number)? {
        let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map {
            Number($0)
        }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else {
            return nil
        }
        return (first, second)
    }
}
