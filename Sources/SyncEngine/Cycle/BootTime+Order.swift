internal import Host

extension BootTime {
    /// Whether this moment is still to come at `now`; a moment of another boot never is.
    func isAhead(of now: BootTime) -> Bool { now.elapsed(since: self) < .zero }
}
