internal import Declarations
internal import Host
internal import Store

/// When to read how everything stands, and what of it the service manager has not heard.
///
/// At most one read is under way. Without a manager, nothing is read.
struct StatusTeller: Sendable {
    private let isHeard: Bool
    private var isUnderWay = false
    private var isWanted = false
    private var standing: Standing?
    private var told: StatusLine?
    /// Set while a configuration was not taken.
    var isConfigurationRefused = false

    init(isHeard: Bool) { self.isHeard = isHeard }

    /// Something has changed that the line may show.
    mutating func want() { isWanted = isHeard }

    /// Whether to read now. While a cycle runs nothing is read: its end changes the line again, and
    /// the cycle needs the cache more.
    mutating func beginsReading(isBusy: Bool) -> Bool {
        guard isWanted, !isUnderWay, !isBusy || standing == nil else { return false }
        isWanted = false
        isUnderWay = true
        return true
    }

    /// Takes in what was read; a read that failed says nothing, who works on the cache will.
    mutating func take(_ result: Result<Standing, StoreError>) {
        isUnderWay = false
        if case .success(let found) = result { standing = found }
    }

    /// The line, if it differs from the one that the manager has.
    mutating func news(
        of lists: [ListName], trouble: StoreError?, now: WallTime
    ) -> StatusLine? {
        guard isHeard else { return nil }
        var remarks: [String] = []
        if let trouble { remarks.append(trouble.description) }
        if isConfigurationRefused {
            remarks.append("the new configuration is not usable, the old one stays")
        }
        let line = StatusLine(standing, of: lists, remarks: remarks, now: now)
        guard line != told else { return nil }
        told = line
        return line
    }
}
