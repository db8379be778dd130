import CFaultVFS
import Foundation
import Host
import Migrations
import SQLite
import Store

/// Where the caches of a process's runs are, one folder in memory where there is such a file
/// system: runs are about order, not about a disk. A run copies a prepared cache.
///
/// `@unchecked Sendable`: it is written once, before the first run.
package final class Disk: @unchecked Sendable {
    private let folder: URL
    private let template: Data

    /// The disk of this process; the fault VFS is every connection's from now on.
    package init() throws {
        guard fault_vfs_install() == 0 else { throw DiskError.noVFS }
        let parent =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
        folder = parent.appendingPathComponent("syncd-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("template").path
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        do {
            _ = try CacheStore(
                .file(path), migrations: Migration.all, maxBodyBytes: 1 << 20,
                executor: QueueExecutor(label: "template"), patience: .seconds(2),
                now: WallTime(milliseconds: 0),
                whileMigrating: {})
            let connection = try Connection(
                .file(path), access: .readWrite, busyTimeout: .seconds(2))
            _ = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
        }
        template = try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Removes the folder, before the process exits.
    package func remove() {
        try? FileManager.default.removeItem(at: folder)  // What is left harms nobody.
    }

    /// A new, empty cache for a device.
    func makeCache(_ device: Int) throws -> String {
        let path = folder.appendingPathComponent("device-\(device)").path
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try template.write(to: URL(fileURLWithPath: path))
        fault_vfs_watch(Int32(2 * device), path)
        return path
    }
}

/// The fault VFS could not be registered.
enum DiskError: Error {
    case noVFS
}
