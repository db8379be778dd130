internal import CLinux

/// The C library's heap, from which everything in this process is allocated.
///
/// Source: mallopt(3), malloc_trim(3).
public enum Heap: Sendable {
    /// One heap for all threads, which take turns in it; first in `main`, before there is a second
    /// thread. A heap of each thread's own keeps its free memory from the others, and grows page by
    /// page with a system call each.
    public static func shareAmongThreads() {
        // It fails only for an option that does not exist.
        _ = mallopt(M_ARENA_MAX, 1)
    }

    /// Gives free memory back to the kernel, also the gaps between used memory.
    public static func giveBack() {
        // It tells whether there was any.
        _ = malloc_trim(0)
    }
}
