import APIClient
import CCurl
import CLinux
import Glibc

/// The one thread that touches libcurl.
///
/// A thread of its own, because libcurl's calls may block for milliseconds and must not sit on
/// one of the two cooperative threads of a small machine, nor start a worker of the global
/// executor.
enum CurlThread {
    /// What crosses into the new thread.
    private final class Start: Sendable {
        let mailbox: CurlMailbox
        let settings: CurlSettings
        let library: String
        let wake: CInt

        init(mailbox: CurlMailbox, settings: CurlSettings, library: String, wake: CInt) {
            self.mailbox = mailbox
            self.settings = settings
            self.library = library
            self.wake = wake
        }
    }

    /// Starts the thread and returns the descriptor that wakes it, or nil when the machine has
    /// no thread or descriptor left. All signals stay with the other threads.
    static func start(mailbox: CurlMailbox, settings: CurlSettings, library: String) -> CInt? {
        let wake = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else { return nil }
        let start = Unmanaged.passRetained(
            Start(mailbox: mailbox, settings: settings, library: library, wake: wake))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, body, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard failure == 0 else {
            start.release()
            close(wake)
            return nil
        }
        pthread_detach(thread)
        return wake
    }

    private static let body:
        @Sendable @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
            guard let raw else { return nil }
            let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
            _ = ccurl_name_thread("curl")
            run(start)
            return nil
        }

    private static func run(_ start: Start) {
        let loop: CurlLoop
        do throws(TransportError) {
            // The first request of the process waits for this.
            let library = try CurlLibrary(named: start.library)
            loop = try CurlLoop(start.mailbox, start.settings, library, wake: start.wake)
        } catch {
            start.mailbox.threadEnded(failure: error)
            return
        }
        loop.run()
        loop.tearDown()
        start.mailbox.threadEnded(failure: .cancelled(mayHaveArrived: false))
    }
}
