import Glibc
import Host
import Testing

@Suite struct PendingSignalTests {
    /// Without a suspension: all of it is about the one thread.
    @Test func `a blocked signal is pending from when it came until somebody is told`() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGUSR1)
        var before = sigset_t()
        #expect(pthread_sigmask(SIG_BLOCK, &set, &before) == 0)
        defer { _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(!Signals.isPending([.syncNow]))
        #expect(pthread_kill(pthread_self(), SIGUSR1) == 0)
        #expect(Signals.isPending([.terminate, .syncNow]))
        #expect(!Signals.isPending([.terminate, .interrupt]))
        var told: CInt = 0
        #expect(sigwait(&set, &told) == 0 && told == SIGUSR1)
        #expect(!Signals.isPending([.syncNow]))
    }
}
