internal import CLinux

/// The kernel's list of file locks, which everybody may read: who holds a lock on a file that one may
/// not open.
///
/// Source: proc_locks(5)
struct KernelLocks {
    /// A write lock of the list.
    struct Entry: Sendable, Hashable {
        /// `FLOCK`, `OFDLCK` or `POSIX`.
        let kind: Substring
        /// -1 for a lock that belongs to no process.
        let pid: Int32
        /// Major and minor number, and the inode, as `fe:00:4711`.
        let file: Substring
        /// The last byte, or `EOF`.
        let end: Substring
    }

    let entries: [Entry]

    /// The list as it is now; empty where it cannot be read.
    static func current() -> KernelLocks {
        let bytes = try? SmallFile(path: "/proc/locks", limit: 16 << 20).read()
        return KernelLocks(String(decoding: bytes ?? [], as: UTF8.self))
    }

    /// Reads the text of the list.
    init(_ text: String) {
        entries = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[3] == "WRITE", let pid = Int32(fields[4]) else {
                return nil
            }
            return Entry(kind: fields[1], pid: pid, file: fields[5], end: fields[7])
        }
    }

    /// Who holds the instance lock on `file`. The lock names the process, and the length of its
    /// mark gives the role.
    ///
    /// Some file systems, btrfs among them, have no device of their own (major number 0) and tell the kernel
    /// another minor number than its users: there the inode has to do.
    func holder(of file: FileStatus) -> InstanceLock.Holder? {
        var own = entries.filter { $0.file == file.nameInLocks }
        if own.isEmpty, syncd_major(file.device) == 0 {
            own = entries.filter { $0.file.hasPrefix("00:") && $0.file.hasSuffix(":\(file.inode)") }
        }
        guard let lock = own.first(where: { $0.kind == "FLOCK" && $0.pid > 0 }),
            let mark = own.first(where: { $0.kind == "OFDLCK" })
        else { return nil }
        let role = InstanceLock.Role.allCases.first { $0.lastMarkedByte == mark.end }
        return role.map { InstanceLock.Holder(pid: lock.pid, role: $0) }
    }
}

extension InstanceLock.Role {
    /// How many bytes of the lock file a holder of this role marks; 0 for all of them.
    var markLength: Int32 {
        switch self {
        case .daemon: 0
        case .once: 1
        }
    }

    fileprivate var lastMarkedByte: Substring {
        switch self {
        case .daemon: "EOF"
        case .once: "0"
        }
    }
}

extension FileStatus {
    /// As the list writes it.
    fileprivate var nameInLocks: String {
        func hexadecimal(_ number: UInt32) -> String {
            (number < 16 ? "0" : "") + String(number, radix: 16)
        }
        return "\(hexadecimal(syncd_major(device))):\(hexadecimal(syncd_minor(device))):\(inode)"
    }
}
