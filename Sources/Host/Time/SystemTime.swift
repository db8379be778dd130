internal import CLinux
@preconcurrency internal import Dispatch
internal import Glibc

/// The clocks of this machine.
///
/// The boot's id is read once, when the value is made: it cannot change under a running process.
/// Source: clock_gettime(2), random(4) (`/proc/sys/kernel/random/boot_id`).
public struct SystemTime: TimeSource {
    private let boot: String
    /// Where the timer of a wait fires.
    private let queue = DispatchQueue(label: "time")

    /// Reads the id of this boot.
    ///
    /// - Throws: ``FileError`` when the kernel's file of the boot's id cannot be read. Without it no
    ///   stored moment could be told from one of another boot, so there is no stand-in.
    public init() throws(FileError) {
        let path = "/proc/sys/kernel/random/boot_id"
        let bytes = try SmallFile(path: path, limit: 64).read()
        let text = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        guard !text.isEmpty else { throw .system(path, .init(operation: "read", code: ENODATA)) }
        boot = text
    }

    /// What the clock on the wall shows (`CLOCK_REALTIME`).
    public func wallTime() -> WallTime {
        WallTime(milliseconds: milliseconds(of: CLOCK_REALTIME))
    }

    /// How long the machine has been running, time asleep included (`CLOCK_BOOTTIME`).
    public func bootTime() -> BootTime {
        BootTime(boot: boot, milliseconds: milliseconds(of: CLOCK_BOOTTIME))
    }

    /// Waits on a timer, which stands still while the machine sleeps.
    public func wait(for duration: Duration) async {
        // It throws where the task is cancelled, and nothing else ends it early.
        try? await Host.wait(for: duration, on: queue)
    }

    private func milliseconds(of clock: clockid_t) -> Int64 {
        var now = timespec()
        // These two clocks exist on every Linux since 2.6.39: the call cannot fail.
        _ = clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
