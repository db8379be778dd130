import Host

/// What the command line of `demo-api` asks for.
public struct DemoOptions: Sendable, Hashable {
    /// On 127.0.0.1; 0 is any free port.
    public var port: UInt16 = 8080
    /// Where the todo service keeps its state; `nil`: in memory.
    public var stateFile: String?
    /// Where password and movies token stand; `nil`: both are `demo`.
    public var secretsFile: String?
    /// Whether `Idempotency-Key` is honoured.
    public var idempotency = false
    /// Whether weak entity tags are sent.
    public var entityTags = false
    /// Whether a row of the invented movies stands on two pages.
    public var overlap = true
    /// Files of recorded movie pages instead of the invented ones.
    public var movieFiles: [String] = []
    /// How the server misbehaves.
    public var faults = FaultRates()
    /// Decides faults and tokens; `nil`: others at each start.
    public var seed: UInt64?
    /// Whether requests are not logged.
    public var quiet = false
    /// Whether only the help is asked for.
    public var help = false

    /// The defaults.
    public init() {}

    /// What `--help` prints.
    public static let helpText = """
        demo-api: the movies and todos services to develop against, on this machine only

        usage: demo-api [OPTION…]

          --port N              port on 127.0.0.1; 0: any free one (default 8080)
          --state FILE          keep users, tokens and todos in FILE (default: in memory)
          --secrets FILE        take {"password": …, "token": …} from FILE instead of demo and demo
          --idempotency         honour Idempotency-Key
          --etags               send weak entity tags and answer 304
          --movies FILE…        serve these recorded pages instead of invented movies
          --no-overlap          no movie on two pages
          --latency MS          answer each request so much later
          --fail-rate P         answer 503 without doing anything, with probability P (0 to 1)
          --lose-request-rate P close the connection without doing anything
          --lose-answer-rate P  do what is asked, then close the connection without an answer
          --seed N              repeat the same faults and tokens
          --quiet               log no requests
          --help                print this

        The account is demo@example.com with password demo; the movies token is demo.
        The address is printed on standard output, one line for each request on standard error.

        """

    private enum Name: String, CaseIterable {
        case port, state, secrets, idempotency, etags, movies, latency, seed, quiet, help
        case noOverlap = "no-overlap"
        case failRate = "fail-rate"
        case loseRequestRate = "lose-request-rate"
        case loseAnswerRate = "lose-answer-rate"

        var takesValue: Bool {
            switch self {
            case .idempotency, .etags, .quiet, .help, .noOverlap: false
            case .port, .state, .secrets, .movies, .latency, .seed, .failRate,
                .loseRequestRate, .loseAnswerRate:
                true
            }
        }
    }

    /// Reads the arguments after the program's name. `--name value` and `--name=value` are the
    /// same; of a repeated option the last one counts, files of `--movies` add up.
    ///
    /// - Throws: ``DemoError/usage(_:)`` with a sentence that names the argument.
    public init(arguments: [String]) throws(DemoError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                throw .usage("'\(LineText(argument))' is not an option")
            }
            // Not by characters: with a combining mark behind it, the sign is none of its own.
            let halves = argument.unicodeScalars.dropFirst(2)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let given = halves.first.map(String.init) ?? ""
            guard let name = Name(rawValue: given) else { throw Self.unknown(given) }
            guard name.takesValue else {
                guard halves.count < 2 else { throw .usage("--\(given) takes no value") }
                set(name)
                continue
            }
            guard let value = halves.count > 1 ? String(halves[1]) : rest.popFirst(),
                !value.isEmpty, halves.count > 1 || !value.hasPrefix("--")
            else { throw .usage("--\(given) needs a value") }
            try set(name, to: value)
            while name == .movies, let next = rest.first, !next.hasPrefix("--") {
                movieFiles.append(next)
                rest.removeFirst()
            }
        }
    }

    private mutating func set(_ name: Name) {
        switch name {
        case .idempotency: idempotency = true
        case .etags: entityTags = true
        case .noOverlap: overlap = false
        case .quiet: quiet = true
        case .help: help = true
        case .port, .state, .secrets, .movies, .latency, .seed, .failRate, .loseRequestRate,
            .loseAnswerRate:
            break
        }
    }

    private mutating func set(_ name: Name, to value: String) throws(DemoError) {
        switch name {
        case .port: port = try Self.integer(value, in: 0...UInt16.max, of: name)
        case .state: stateFile = value
        case .secrets: secretsFile = value
        case .movies: movieFiles.append(value)
        case .latency:
            faults.latency = .milliseconds(try Self.integer(value, in: 0...600_000, of: name))
        case .seed: seed = try Self.integer(value, in: 0...UInt64.max, of: name)
        case .failRate: faults.refuse = try Self.probability(value, of: name)
        case .loseRequestRate: faults.loseRequest = try Self.probability(value, of: name)
        case .loseAnswerRate: faults.loseAnswer = try Self.probability(value, of: name)
        case .idempotency, .etags, .noOverlap, .quiet, .help: break
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ value: String, in range: ClosedRange<Number>, of name: Name
    ) throws(DemoError) -> Number {
        guard let number = Number(value), range.contains(number) else {
            throw .usage(
                "--\(name.rawValue) takes a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(LineText(value))'")
        }
        return number
    }

    private static func probability(_ value: String, of name: Name) throws(DemoError) -> Double {
        guard let number = Double(value), (0...1).contains(number) else {
            throw .usage(
                "--\(name.rawValue) takes a number from 0 to 1, not '\(LineText(value))'")
        }
        return number
    }

    private static func unknown(_ given: String) -> DemoError {
        let names = Name.allCases.map(\.rawValue)
        let ranked = names.map { (name: $0, distance: editDistance($0, given)) }
        let start = "--\(LineText(given)) is not an option"
        guard let nearest = ranked.min(by: { $0.distance < $1.distance }) else {
            return .usage(start)
        }
        return .usage("\(start); the nearest one is --\(nearest.name)")
    }

    /// How many single characters have to change, come or go (Levenshtein).
    private static func editDistance(_ left: String, _ right: String) -> Int {
        // A longer argument is far from every option; this bounds the work.
        let right = Array(right.prefix(64))
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substituted = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, min(row[column], row[column + 1]) + 1)
            }
        }
        return row[right.count]
    }
}
