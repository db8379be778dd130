internal import Host
internal import Rendering
internal import Synchronization

/// The line of progress on standard error: drawn over itself, and gone before anything else is said.
final class ProgressDisplay: Sendable {
    private struct State {
        /// The line that stands there now.
        var shown: ProgressLine?
        var drawnAt = ContinuousClock.now
    }

    /// A count that moves faster is not redrawn each time.
    private static let pace = Duration.milliseconds(50)

    private let errors: StandardError
    private let columns: Int
    private let style: Style
    private let state = Mutex(State())

    /// A display on a terminal of so many columns; the last one stays empty, because a terminal may
    /// go on to the next line when it is written to.
    init(on errors: StandardError, columns: Int, style: Style) {
        self.errors = errors
        self.columns = columns - 1
        self.style = style
    }

    /// Draws `line` in the place of the one before.
    func show(_ line: ProgressLine) {
        state.withLock { state in
            let now = ContinuousClock.now
            if let shown = state.shown {
                let isSame = shown.label == line.label
                guard shown != line, !isSame || state.drawnAt.duration(to: now) >= Self.pace else {
                    return
                }
            }
            errors.write(line.redrawn(columns: columns, style: style))
            state.shown = line
            state.drawnAt = now
        }
    }

    /// Empties the line.
    func clear() {
        state.withLock { state in
            guard state.shown != nil else { return }
            errors.write(ProgressLine.cleared)
            state.shown = nil
        }
    }
}
