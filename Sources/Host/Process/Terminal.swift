internal import CLinux
internal import Glibc

/// What is known of the terminal behind a descriptor.
public struct Terminal: Sendable, Hashable {
    /// Columns in a line; 80 where neither the terminal nor `COLUMNS` says.
    public let width: Int
    /// Whether colour is welcome: `NO_COLOR` is empty or absent and `TERM` is not `dumb`
    /// (no-color.org).
    public let allowsColour: Bool
    /// Whether a line can be drawn over itself: `TERM` is not `dumb`.
    public let allowsRedrawing: Bool

    /// The terminal behind `descriptor`, or `nil` when it is something else: a file, a pipe.
    ///
    /// - Parameters:
    ///   - descriptor: 1 is standard output, 2 standard error.
    ///   - environment: `COLUMNS`, `NO_COLOR` and `TERM` are read.
    public init?(descriptor: Int32, environment: [String: String]) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let named = environment["COLUMNS"].flatMap { Int($0) }
        let range = 1...10_000
        width = named.flatMap { range.contains($0) ? $0 : nil } ?? (isKnown ? Int(size.ws_col) : 80)
        allowsRedrawing = environment["TERM"] != "dumb"
        allowsColour = environment["NO_COLOR", default: ""].isEmpty && allowsRedrawing
    }
}
