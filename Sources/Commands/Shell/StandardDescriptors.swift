internal import Glibc

/// Sees to it that the numbers 0, 1 and 2 belong to the standard streams.
///
/// If a parent closed one of them, the next file that is opened would get its number. Then text for
/// standard output could be written into the lock file.
enum StandardDescriptors {
    /// Puts something that fails to read or write in the place of each stream that is closed.
    static func reserve() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
            guard fcntl(descriptor, F_GETFD) < 0 else { continue }
            // The lowest free number is this one: those below it are taken already.
            _ = open("/dev/null", mode)
        }
    }
}
