/// What SQLite's progress handler calls: a closure in a box, which C can point at.
final class ProgressListener {
    private let tell: () -> Void

    init(_ tell: @escaping () -> Void) { self.tell = tell }

    /// For `sqlite3_progress_handler`; anything but 0 would interrupt the statement.
    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        if let context {
            Unmanaged<ProgressListener>.fromOpaque(context).takeUnretainedValue().tell()
        }
        return 0
    }
}
