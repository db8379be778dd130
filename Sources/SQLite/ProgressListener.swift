/// What SQLite's progress handler calls: a closure in a box, which C can point at.
final class ProgressListener {
    /// How many steps of a statement lie between two calls.
    let steps: Int32
    /// Returns whether the statement ends here.
    let tell: () -> Bool

    init(every steps: Int32, _ tell: @escaping () -> Bool) {
        self.steps = steps
        self.tell = tell
    }

    /// For `sqlite3_progress_handler`; anything but 0 interrupts the statement.
    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        let listener = Unmanaged<ProgressListener>.fromOpaque(context).takeUnretainedValue()
        return listener.tell() ? 1 : 0
    }
}
