import APIClient
import CCurl

/// One request while libcurl works on it: the easy handle, what libcurl calls back with, and the
/// answer so far. Belongs to the thread, like everything of libcurl.
final class CurlTransfer {
    /// The largest header taken, over all blocks of one answer (interim answers, trailers), and of
    /// a proxy's answer to CONNECT.
    static let headerLimit = 65_536

    let submission: CurlSubmission
    let settings: CurlSettings
    let mailbox: CurlMailbox
    let sockets: CurlSockets
    let curl: CurlLibrary
    let easy: UnsafeMutableRawPointer
    /// libcurl writes its reason here, at most `CURL_ERROR_SIZE` bytes with the NUL.
    let reason: UnsafeMutablePointer<CChar>
    var fieldList: UnsafeMutablePointer<curl_slist>?

    private var bytesOfProxy = 0
    private var header = AnswerHeader(limit: CurlTransfer.headerLimit)
    private var body: [UInt8] = []
    /// So many bytes it may have without a further question.
    private var allowed = BodyShare.free
    /// Why a callback ended the transfer; goes before libcurl's own code.
    private var refusal: TransportError?
    /// How often the request was let go onto a connection.
    private var releases = 0
    private var openedSocket = false
    /// Nothing was sent on the kept-alive connection, which is dead or not to be trusted.
    private(set) var foundStaleConnection = false

    var request: HTTPRequest { submission.request }
    var deadline: Deadline { submission.deadline }

    /// False only while no byte of the request can have left: libcurl asks before it sends.
    var mayHaveArrived: Bool { releases > 0 }

    /// A handle with every option set; an option that this libcurl does not know is an error,
    /// because each of them keeps a promise.
    init(
        _ submission: CurlSubmission, _ settings: CurlSettings, _ mailbox: CurlMailbox,
        _ sockets: CurlSockets, _ curl: CurlLibrary
    ) throws(TransportError) {
        guard let easy = curl.call.easy_init() else {
            throw .cannotConnect("libcurl has no memory")
        }
        self.submission = submission
        self.settings = settings
        self.mailbox = mailbox
        self.sockets = sockets
        self.curl = curl
        self.easy = easy
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try configure()
    }

    deinit {
        curl.call.easy_cleanup(easy)
        curl.call.slist_free_all(fieldList)
        reason.deallocate()
    }

    /// Tells libcurl to leave its kept-alive connections alone for this one.
    func useNewConnection() -> Bool {
        foundStaleConnection = false
        refusal = nil
        return ccurl_set_long(curl.functions, easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
    }

    // MARK: What libcurl tells

    func didOpenSocket() { openedSocket = true }

    /// Whether libcurl may go on with this request. One call of libcurl reads and unpacks all that has
    /// come, and no other request moves meanwhile. So its calls back look at the deadline, and at
    /// whether the caller's task or the transport has ended.
    private func mayGoOn() -> Bool {
        if deadline.isPast {
            refusal = deadlinePassed
        } else if mailbox.isAskedToEnd(submission.id) {
            refusal = .cancelled(mayHaveArrived: mayHaveArrived)
        } else {
            return true
        }
        return false
    }

    /// Whether libcurl may go on connecting. Once the request was sent, the lines and pieces of the
    /// answer decide: an answer that has come whole is not thrown away.
    func mayConnect() -> Bool { mayHaveArrived || mayGoOn() }

    /// libcurl has a connection and asks whether to send. It asks again when that connection died
    /// without an answer: then a write may have been applied, so it is not sent again.
    func mayRelease(localPort: CInt, remotePort: CInt) -> Bool {
        guard releases < (request.method.isWrite ? 1 : 2) else {
            refusal = .interrupted(
                "the connection ended before the answer", mayHaveArrived: true)
            return false
        }
        guard !deadline.isPast else {
            refusal = deadlinePassed
            return false
        }
        if !openedSocket, sockets.isStale(localPort: localPort, remotePort: remotePort) {
            foundStaleConnection = true
            return false
        }
        openedSocket = false
        releases += 1
        sockets.limitDelivery(
            to: deadline.remainingMilliseconds, localPort: localPort, remotePort: remotePort)
        header = AnswerHeader(limit: Self.headerLimit)
        body = []
        return true
    }

    /// One line of the header with its end, false to stop. What comes before the request was sent is
    /// a proxy's answer, which libcurl judges.
    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        guard mayGoOn() else { return false }
        guard mayHaveArrived else {
            bytesOfProxy += line.count
            guard bytesOfProxy > Self.headerLimit else { return true }
            refusal = .cannotConnect(
                "the proxy's answer has a header of more than \(Self.headerLimit) bytes")
            return false
        }
        do throws(TransportError) {
            try header.take(line: line)
            return true
        } catch {
            refusal = error
            return false
        }
    }

    enum PieceTaken {
        case taken, refused
        /// It comes again once the transfer goes on.
        case rests
    }

    /// A piece of the body after decoding.
    func take(bodyPiece piece: UnsafeRawBufferPointer) -> PieceTaken {
        guard mayGoOn() else { return .refused }
        let limit = request.maxBodyBytes
        let length = header.isEncoded ? nil : header.contentLength
        guard length ?? 0 <= limit, piece.count <= limit - body.count else {
            refusal = .bodyTooLarge(limit: limit)
            return .refused
        }
        if max(length ?? 0, body.count + piece.count) > allowed, let share = request.share {
            let (mailbox, id) = (mailbox, submission.id)
            guard share.take(length ?? limit, orWake: { mailbox.resume(id) }) else { return .rests }
            allowed = limit
        }
        if body.isEmpty, let length { body.reserveCapacity(length) }
        body.append(contentsOf: piece)
        return .taken
    }

    /// There is a share of the budget now.
    func goOn() {
        // It calls back with the piece that was left; a failure of that is the transfer's, and told so.
        _ = curl.call.easy_pause(easy, CURLPAUSE_CONT)
    }

    // MARK: The outcome

    /// What became of it, once libcurl is done with `code`.
    func outcome(_ code: CURLcode) -> CurlSubmission.Outcome {
        if let refusal { return .failure(refusal) }
        guard code == CURLE_OK else {
            return .failure(
                CurlFailure(
                    code: code, detail: detail(of: code), wasReleased: mayHaveArrived,
                    headerIsComplete: header.isComplete, verification: longInfo(of: easy)
                ).error)
        }
        // libcurl calls a connection that ends within the header a success.
        guard header.isComplete, let status = header.status else {
            return .failure(
                .interrupted(
                    "the connection ended within the answer's header", mayHaveArrived: true))
        }
        return .success(HTTPResponse(status: status, fields: header.decodedFields, body: body))
    }

    /// The error once the deadline has passed.
    var deadlinePassed: TransportError {
        mayHaveArrived
            ? .timedOut(mayHaveArrived: true)
            : .cannotConnect("no connection within the request's time")
    }

    private func longInfo(of easy: UnsafeMutableRawPointer) -> Int {
        var value = 0
        return ccurl_get_long(curl.functions, easy, CURLINFO_SSL_VERIFYRESULT, &value) == CURLE_OK
            ? value : 0
    }

    /// libcurl's own words. With a proxy only the code's standing text, because the other one can
    /// hold the proxy's URL and with it a password.
    private func detail(of code: CURLcode) -> String {
        if settings.proxy == nil, reason.pointee != 0 { return String(cString: reason) }
        return curl.words(for: code) ?? "no reason given"
    }
}
