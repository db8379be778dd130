internal import Host
internal import Rendering
internal import Text

/// How a table shows the moments of the cache: short and local to a person, as they are to a program.
struct MomentText: Sendable {
    /// Nil for a program.
    private let now: WallTime?

    init(for destination: Destination, now: WallTime) {
        switch destination {
        case .stream: self.now = nil
        case .terminal: self.now = now
        }
    }

    /// What a view says, `YYYY-MM-DDTHH:MM:SS.sssZ`, or nothing for nil.
    func of(_ iso: String?) -> String {
        guard let iso else { return "" }
        guard let now, let moment = HumanTime.milliseconds(iso: iso) else { return iso }
        return HumanTime.local(moment, now: now.milliseconds, offset: LocalZone.offset)
    }
}

extension Composition {
    /// Moments as whoever reads standard output wants them.
    var moments: MomentText { MomentText(for: console.destination, now: time.wallTime()) }
}
