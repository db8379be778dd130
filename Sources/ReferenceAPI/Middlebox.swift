public import APIClient

/// A machine between client and server with faults of its own, decided by a seed.
///
/// The law of lists: after a wrong list, be it once, twice or for a minute, the next list comes from
/// the server. So a wrong list is never shown longer than its span says.
public struct Middlebox: Sendable {
    private struct Running {
        let fault: MiddleboxFault
        var requestsLeft: Int?
        var end: Int64?
    }

    private let habits: [MiddleboxHabit]
    private var random: SeededGenerator
    /// In the order they began.
    private var running: [Running] = []
    /// A wrong list was shown, and no right one since.
    private var owesList = false

    /// A middlebox whose faults begin as `seed` decides.
    public init(_ habits: [MiddleboxHabit], seed: UInt64) {
        self.habits = habits
        random = SeededGenerator(seed: seed)
    }

    /// Begins a fault with the next request that it concerns.
    public mutating func begin(
        _ fault: MiddleboxFault, lasts span: MiddleboxHabit.Span, at seconds: Int64
    ) {
        let (end, isFar) =
            switch span {
            case .seconds(let length): seconds.addingReportingOverflow(length)
            case .requests, .forGood: (seconds, true)
            }
        let requests: Int? = if case .requests(let number) = span { number } else { nil }
        running.append(
            Running(fault: fault, requestsLeft: requests, end: isFar ? nil : end))
    }

    /// What happens to `request`, which arrives at `seconds` after 1970; `nil`: it passes.
    ///
    /// Each request takes one draw for each habit, so that another rate leaves the choices of the
    /// other habits as they were.
    public mutating func fault(
        for request: HTTPRequest, at seconds: Int64
    ) -> MiddleboxFault? {
        running.removeAll { running in
            running.requestsLeft.map { $0 <= 0 } ?? running.end.map { $0 <= seconds } ?? false
        }
        for habit in habits {
            let begins = Double.random(in: 0..<1, using: &random) < habit.rate
            guard begins, habit.fault.concerns(request), mayBegin(habit.fault) else { continue }
            begin(habit.fault, lasts: habit.span, at: seconds)
        }
        let place = running.firstIndex { $0.fault.concerns(request) }
        if let place { running[place].requestsLeft? -= 1 }
        let fault = place.map { running[$0].fault }
        if fault?.isOfList == true {
            owesList = true
        } else if fault == nil, MiddleboxFault.emptyList.concerns(request) {
            owesList = false
        }
        return fault
    }

    private func mayBegin(_ fault: MiddleboxFault) -> Bool {
        let isRunning = running.contains {
            $0.fault == fault || $0.fault.isOfList && fault.isOfList
        }
        return !isRunning && !(fault.isOfList && owesList)
    }
}
