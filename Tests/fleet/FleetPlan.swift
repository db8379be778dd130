/// What a fleet goes through: an ordinary time, an outage of the server, and the time after it.
struct FleetPlan: Sendable {
    var daemons = 100_000
    var interval = Duration.seconds(60)
    var before = Duration.seconds(600)
    var outage = Duration.seconds(600)..<Duration.seconds(4200)
    var end = Duration.seconds(7800)
    var seed: UInt64 = 1

    static let usage = """
        usage: fleet [--daemons N] [--interval S] [--before S] [--outage S] [--after S] [--seed N]

        Simulates a fleet of daemons whose server is away for a while. Prints a line for each second:
        the second, counted from the server's return, the requests in it, and those of them that are
        a daemon's first one since then, separated by tabs.
        """

    /// The plan that `arguments` describe; nil where they are wrong.
    init?(_ arguments: [String]) {
        var numbers: [String: Int] = [
            "--daemons": 100_000, "--interval": 60, "--before": 600, "--outage": 3600,
            "--after": 3600, "--seed": 1,
        ]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard numbers[name] != nil, let value = rest.popFirst().flatMap({ Int($0) }),
                (0...1_000_000).contains(value)
            else { return nil }
            numbers[name] = value
        }
        func number(_ name: String) -> Int { numbers[name] ?? 0 }
        daemons = number("--daemons")
        interval = .seconds(max(number("--interval"), 1))
        before = .seconds(number("--before"))
        outage = before..<before + .seconds(number("--outage"))
        end = outage.upperBound + .seconds(number("--after"))
        seed = UInt64(number("--seed"))
    }
}
