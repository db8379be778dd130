public import ReferenceAPI
import Text

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
    /// Lists of any rows, each of a file.
    public var lists: [DemoList] = []
    /// Which members of their rows are foreign keys.
    public var foreignKeys: [DemoForeignKey] = []
    /// Whether rows of these lists can be added and deleted.
    public var listsTakeWrites = false
    /// Which of the allowed ways the todo service has; keys, tags and the rest of the options are
    /// apart.
    public var behaviour = ReferenceBehaviour()
    /// How many todos without a title the account has at least.
    public var untitled = 0
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

    enum Name: String, CaseIterable {
        case port, state, secrets, idempotency, etags, movies, latency, seed, quiet, help
        case pages, untitled, doubled, titles, fault, list, untrue
        case listsNeedLogin = "lists-need-login"
        case listsTakeWrites = "lists-take-writes"
        case foreignKey = "foreign-key"
        case noOverlap = "no-overlap"
        case rateLimit = "rate-limit"
        case listLag = "list-lag"
        case idName = "id-name"
        case deleteAnswer = "delete-answer"
        case slashRedirect = "slash-redirect"
        case failRate = "fail-rate"
        case loseRequestRate = "lose-request-rate"
        case loseAnswerRate = "lose-answer-rate"

        var takesValue: Bool {
            switch self {
            case .idempotency, .etags, .quiet, .help, .noOverlap, .listsNeedLogin,
                .listsTakeWrites:
                false
            case .port, .state, .secrets, .movies, .latency, .seed, .failRate,
                .loseRequestRate, .loseAnswerRate, .pages, .untitled, .doubled, .titles, .fault,
                .list, .untrue, .rateLimit, .listLag, .idName, .deleteAnswer, .slashRedirect,
                .foreignKey:
                true
            }
        }
    }

    /// Reads the arguments after the program's name. `--name value` and `--name=value` are the
    /// same; of a repeated option the last one counts, files of `--movies`, lists, foreign keys, faults and
    /// untruths add up.
    ///
    /// - Throws: ``DemoError/usage(_:)`` with a sentence that names the argument.
    public init(arguments: [String]) throws(DemoError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                throw .usage("'\(ForeignText(argument))' is not an option")
            }
            // Not by characters: the sign with a combining mark behind it is another character.
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
        case .listsNeedLogin: behaviour.listsNeedLogin = true
        case .listsTakeWrites: listsTakeWrites = true
        case .quiet: quiet = true
        case .help: help = true
        case .port, .state, .secrets, .movies, .latency, .seed, .failRate, .loseRequestRate,
            .loseAnswerRate, .pages, .untitled, .doubled, .titles, .fault, .list, .untrue,
            .rateLimit,
            .listLag, .idName, .deleteAnswer, .slashRedirect, .foreignKey:
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
        case .pages: behaviour.pages = try Self.pages(value)
        case .untitled: untitled = try Self.integer(value, in: 0...100_000, of: name)
        case .doubled: behaviour.doubledRow = try Self.word(value, of: name)
        case .titles: behaviour.altersTitles = try Self.titles(value)
        case .rateLimit: behaviour.rateLimit = try Self.rateLimit(value)
        case .listLag: behaviour.lag = try Self.lag(value)
        case .idName: behaviour.idName = value
        case .deleteAnswer: behaviour.deleteAnswer = try Self.word(value, of: name)
        case .slashRedirect:
            behaviour.slashRedirect = try Self.integer(value, in: 307...308, of: name)
        case .list: lists.append(try Self.list(value))
        case .foreignKey: foreignKeys.append(try DemoForeignKey(value))
        case .fault: faults.middlebox.append(try Self.habit(value))
        case .untrue: faults.untruths.append(try Self.untruth(value))
        case .idempotency, .etags, .noOverlap, .listsNeedLogin, .listsTakeWrites, .quiet, .help:
            break
        }
    }
}
