/// What SQLite's progress handler calls: a closure in a box, which C can point at.
final class ProgressListener {
    /// Returns whether the statement ends here.
    let tell: () -> Bool

    init(_ tell: @escaping () -> Bool) { self.tell = tell }

    /// For `sqlite3_progress_handler`; anything but 0 interrupts the statement.
    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        let listener = Unmanaged<ProgressListener>.fromOpaque(context).takeUnretainedValue()
        return listener.tell() ? 1 : 0
    }
}
