import APIClient
import CCurl
import Glibc

/// What runs on the thread: takes mail, drives libcurl, hands answers back, sleeps.
///
/// Lives and dies on its thread and is not `Sendable`.
final class CurlLoop {
    private let mailbox: CurlMailbox
    private let settings: CurlSettings
    private let curl: CurlLibrary
    private let wake: CInt
    private let multi: UnsafeMutableRawPointer
    private let sockets = CurlSockets()
    private var transfers: [UInt64: CurlTransfer] = [:]
    /// In the order they came. libcurl has a queue of its own for a limit on connections, but
    /// 7.88 forgets requests in it until some timer goes off.
    private var waiting: [CurlSubmission] = []

    /// Starts libcurl.
    ///
    /// - Throws: `TransportError.cannotConnect` when it has no memory.
    init(
        _ mailbox: CurlMailbox, _ settings: CurlSettings, _ curl: CurlLibrary, wake: CInt
    ) throws(TransportError) {
        guard curl.start(), let multi = curl.call.multi_init() else {
            throw .cannotConnect("libcurl could not be started")
        }
        self.curl = curl
        self.mailbox = mailbox
        self.settings = settings
        self.wake = wake
        self.multi = multi
        let connections = settings.maxConnectionsPerHost.clamped
        // Kept alive.
        _ = ccurl_multi_set_long(curl.functions, multi, CURLMOPT_MAXCONNECTS, 2 * connections)
        _ = ccurl_multi_set_long(curl.functions, multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    }

    /// Works until the mailbox is closed.
    func run() {
        while true {
            let mail = mailbox.collect()
            waiting += mail.submissions
            if mail.isClosing { return }
            for id in mail.cancelled { cancel(id) }
            for id in mail.resumed { transfers[id]?.goOn() }
            endOverdue()
            beginWaiting()
            var running: CInt = 0
            _ = curl.call.multi_perform(multi, &running)
            // A finished request makes room for a waiting one.
            if !harvest() { sleep() }
        }
    }

    /// Ends what is under way and frees everything. Kept-alive connections are closed here.
    func tearDown() {
        for id in waiting.map(\.id) + transfers.keys { cancel(id) }
        // Fails only for an invalid handle.
        _ = curl.call.multi_cleanup(multi)
    }

    /// Begins what has room, in the order it came.
    private func beginWaiting() {
        var active = transfers.values.reduce(into: [Origin: Int]()) {
            $0[$1.request.origin, default: 0] += 1
        }
        waiting.removeAll { submission in
            let origin = submission.request.origin
            guard active[origin, default: 0] < settings.maxConnectionsPerHost.clamped else {
                return false
            }
            active[origin, default: 0] += 1
            begin(submission)
            return true
        }
    }

    private func begin(_ submission: CurlSubmission) {
        do throws(TransportError) {
            let transfer = try CurlTransfer(submission, settings, mailbox, sockets, curl)
            guard curl.call.multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                throw .cannotConnect("libcurl took no further request")
            }
            transfers[submission.id] = transfer
        } catch {
            submission.continuation.resume(returning: .failure(error))
        }
    }

    private func cancel(_ id: UInt64) {
        dropWaiting(.cancelled(mayHaveArrived: false)) { $0.id == id }
        end(id) { .failure(.cancelled(mayHaveArrived: $0.mayHaveArrived)) }
    }

    private func dropWaiting(
        _ error: TransportError, where isDropped: (CurlSubmission) -> Bool
    ) {
        waiting.removeAll { submission in
            guard isDropped(submission) else { return false }
            submission.continuation.resume(returning: .failure(error))
            return true
        }
    }

    /// Takes a transfer off libcurl and hands its outcome back.
    private func end(_ id: UInt64, _ outcome: (CurlTransfer) -> CurlSubmission.Outcome) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        let result = outcome(transfer)
        release(transfer)
        transfer.submission.continuation.resume(returning: result)
    }

    /// Takes a transfer off libcurl, which fails only for one that it does not have.
    private func release(_ transfer: CurlTransfer) {
        _ = curl.call.multi_remove_handle(multi, transfer.easy)
    }

    /// Hands out the answers that are there; true when one was.
    private func harvest() -> Bool {
        var isAny = false
        var left: CInt = 0
        while let message = curl.call.multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = CurlTransfer.of(easy: easy, curl)
            else { continue }
            isAny = true
            // The message is gone once the handle is removed.
            let code = message.pointee.data.result
            if transfer.foundStaleConnection, !transfer.deadline.isPast {
                restart(transfer)
            } else {
                end(transfer.submission.id) { $0.outcome(code) }
            }
        }
        return isAny
    }

    /// Once more on a new connection, where the kept-alive one turned out to be dead or not to be trusted
    /// before anything was sent.
    private func restart(_ transfer: CurlTransfer) {
        release(transfer)
        guard transfer.useNewConnection(),
            curl.call.multi_add_handle(multi, transfer.easy) == CURLM_OK
        else {
            transfers[transfer.submission.id] = nil
            transfer.submission.continuation.resume(
                returning: .failure(.cannotConnect("libcurl took no further request")))
            return
        }
    }

    private func endOverdue() {
        dropWaiting(.cannotConnect("no free connection within the request's time")) {
            $0.deadline.isPast
        }
        for (id, transfer) in transfers where transfer.deadline.isPast {
            sockets.distrust()
            end(id) { .failure($0.deadlinePassed) }
        }
    }

    /// Sleeps until mail comes or, with transfers, until the network moves or a deadline passes.
    private func sleep() {
        guard let next = (transfers.values.map(\.deadline) + waiting.map(\.deadline)).min() else {
            var descriptor = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            // An interruption only makes the loop turn once more.
            _ = poll(&descriptor, 1, -1)
            return
        }
        var descriptor = curl_waitfd(fd: wake, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        _ = curl.call.multi_poll(multi, &descriptor, 1, next.remainingMilliseconds, nil)
    }
}

extension Int {
    /// The number as a count of connections.
    fileprivate var clamped: Int { Swift.min(Swift.max(self, 1), 64) }
}
