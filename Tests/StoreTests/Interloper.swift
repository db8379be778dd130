import CFaultVFS
import SQLite

/// Another program, which commits at one moment: when the store asks for the write lock.
final class Interloper {
    /// A machine that no simulation uses.
    static let owner: Int32 = 14
    /// Both of the machine: which of the two opens a file is a switch of the process, and the
    /// simulations beside this test turn it.
    private static let owners = [owner, owner + 1]

    private let path: String
    private let sql: String
    private(set) var outcome = "not called"

    init(path: String, sql: String) {
        self.path = path
        self.sql = sql
    }

    func arm() {
        for owner in Self.owners {
            fault_vfs_before_write_lock(
                owner,
                { context in
                    guard let context else { return }
                    Unmanaged<Interloper>.fromOpaque(context).takeUnretainedValue().act()
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    func disarm() {
        for owner in Self.owners { fault_vfs_calm(owner) }
    }

    private func act() {
        disarm()
        do {
            try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
                .execute(script: sql)
            outcome = "done"
        } catch {
            outcome = "\(error)"
        }
    }
}
