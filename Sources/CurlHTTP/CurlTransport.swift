public import APIClient
internal import CCurl

/// A `Transport` over libcurl: one multi handle on one thread of its own.
///
/// - Nothing is loaded, opened or started before the first request, not even libcurl: no program
///   links it. If it cannot be loaded, the request fails with `TransportError.missingLibrary`, and
///   the next one tries again. Without a request under way the thread sleeps in the kernel without
///   a timeout.
/// - A write is put on the wire once. If a kept-alive connection dies under it, libcurl alone would
///   send it a second time; this transport does not. A GET may be repeated once in that case.
/// - HTTP/1.1, no redirect, no cookie, no netrc, no `Expect`; a proxy only from the settings; TLS
///   1.2 or newer with peer and host verified. The answer's header is limited to 64 KiB, its body
///   to the request's `maxBodyBytes` after decoding gzip.
/// - If the framing gives a length (`Content-Length` or chunks), the answer is whole. Otherwise
///   only the end of the connection ends the body, and it can be cut short unseen. So can a gzip
///   stream within a frame of the right length. Whoever parses the body must find that out.
/// - `Content-Encoding: gzip` is undone, and that field and `Content-Length` are then taken
///   off the answer. An answer is refused at the end of its header if it has another content
///   coding or a second one, a transfer coding other than one `chunked`, or two lengths that
///   differ: a few kilobytes with codings on top of each other would keep the thread unpacking
///   for hours. An answer without a body (204, 304) is not unpacked, and keeps its fields.
public final class CurlTransport: Transport {
    private let mailbox: CurlMailbox

    /// A transport that has not started anything yet.
    public convenience init(_ settings: CurlSettings) {
        self.init(settings, library: CurlLibrary.standardName)
    }

    /// A door for tests: a transport over another library than `libcurl.so.4`.
    package init(_ settings: CurlSettings, library: String) {
        mailbox = CurlMailbox(settings: settings, library: library)
    }

    deinit {
        mailbox.close(resuming: nil)
    }

    /// Sends `request` once and returns the answer, whatever its status.
    ///
    /// The deadline runs from this call, time asleep included. If it passes before a connection
    /// stands, the error is `TransportError.cannotConnect`. If a request's turn comes after it, the
    /// request is not sent. A cancelled task gets `TransportError.cancelled` at once, also during a
    /// name look-up.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let deadline = Deadline(after: request.timeout)
        try request.validate()
        guard !Task.isCancelled else { throw .cancelled(mayHaveArrived: false) }
        let id = mailbox.nextID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(
                    CurlSubmission(
                        id: id, request: request, deadline: deadline, continuation: continuation))
                // A cancellation from before the submission found nothing to cancel.
                if Task.isCancelled { mailbox.cancel(id) }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try outcome.get()
    }

    /// libcurl and its TLS library with their versions, as libcurl names them.
    ///
    /// It is loaded for that, and nothing is started.
    ///
    /// - Throws: `TransportError.missingLibrary` where it cannot be loaded.
    public static func libraryVersion() throws(TransportError) -> String {
        try CurlLibrary(named: CurlLibrary.standardName).version
    }

    /// Ends the requests under way as cancelled, closes the connections and ends the thread;
    /// returns when that is done. Later requests are answered as cancelled. Can be called twice.
    public func shutdown() async {
        await withCheckedContinuation { mailbox.close(resuming: $0) }
    }
}
