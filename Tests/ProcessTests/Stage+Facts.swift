import Foundation
import Glibc
import Testing

extension Stage {
    /// Waits until the lock file of the cache names `child`: it is written by the holder.
    func waitForLock(of child: Child) async throws {
        let folder = URL(fileURLWithPath: cache).deletingLastPathComponent().path
        try await waitForChange(in: folder) {
            let text = try? String(contentsOfFile: self.cache + ".lock", encoding: .utf8)
            return text?.hasPrefix("\(child.pid) ") == true
        }
    }

    /// Waits until `isTrue`, which is looked at after each change of a file in `folder`.
    func waitForChange(
        in folder: String, until isTrue: @escaping @Sendable () -> Bool
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let watch = inotify_init()
        try #require(watch >= 0)
        let mask = UInt32(0x2 | 0x100 | 0x80)  // IN_MODIFY, IN_CREATE, IN_MOVED_TO
        try #require(inotify_add_watch(watch, folder, mask) >= 0)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 4096)
                // Looked at first: what was true before the watch gives no event.
                while !isTrue() {
                    guard read(watch, &bytes, bytes.count) > 0 || errno == EINTR else { break }
                }
                close(watch)
                continuation.resume()
            }
        }
    }
}
