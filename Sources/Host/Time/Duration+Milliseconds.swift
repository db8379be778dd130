extension Duration {
    /// The duration in milliseconds, rounded up, at the ends of the range where it does not fit.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let unit: Int64 = 1_000_000_000_000_000
        let rest = (attoseconds + (attoseconds > 0 ? unit - 1 : 0)) / unit
        let (sum, carried) = product.addingReportingOverflow(rest)
        return carried ? .max : sum
    }
}
