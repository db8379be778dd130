internal import APIClient
internal import CMicroHTTPD
@preconcurrency internal import Dispatch
internal import Glibc
internal import Host
public import ReferenceAPI
internal import Synchronization

/// Both services of the contract behind HTTP on 127.0.0.1.
///
/// libmicrohttpd runs one thread, on which the services answer one request after the other. A
/// request that waits for its latency is suspended, and delays no other. If there is a state file,
/// the changes of a request are on the disk before its answer is sent.
public final class LoopbackServer: Sendable {
    /// A larger request body is answered 413.
    static let bodyLimit = 1 << 20

    private struct Suspended {
        /// Connections by the number of their wait; addresses, because a pointer is not Sendable.
        var connections: [UInt64: Int] = [:]
        var waits: UInt64 = 0
        var isStopping = false
    }

    /// The port that it listens on.
    public let port: UInt16
    private let settings: DemoSettings
    private let core: Mutex<ServerCore>
    private let suspended = Mutex(Suspended())
    /// The address of libmicrohttpd's daemon while it runs.
    private let daemon = Mutex<Int?>(nil)
    private let timers = DispatchQueue(label: "demo-api.latency")

    /// Starts to listen and to answer; ``stop()`` ends it.
    public static func start(_ settings: DemoSettings) throws(DemoError) -> LoopbackServer {
        let core = try ServerCore.open(settings)
        let listening = try Listening(port: settings.port)
        let server = LoopbackServer(settings, core, port: listening.port)
        // The daemon holds the server alive until `stop` has ended it.
        let closure = Unmanaged.passRetained(server)
        guard
            let daemon = syncd_mhd_start(
                listening.descriptor, answerRequest, beginRequest, noticeConnection,
                closure.toOpaque())
        else {
            closure.release()
            close(listening.descriptor)
            throw .cannotListen(
                settings.port, SystemError(operation: "MHD_start_daemon", code: errno))
        }
        server.daemon.withLock { $0 = Int(bitPattern: daemon) }
        return server
    }

    private init(_ settings: DemoSettings, _ core: consuming ServerCore, port: UInt16) {
        self.settings = settings
        self.core = Mutex(core)
        self.port = port
    }

    /// What the todo service remembers now.
    public var state: ReferenceState { core.withLock { $0.server.state } }

    /// How many requests wait for their latency now.
    package var waitingRequests: Int { suspended.withLock { $0.connections.count } }

    /// Ends it: requests that wait for their latency are closed unanswered, nothing is done for
    /// them; then the port and the state file are free. Can be called again.
    public func stop() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        suspended.withLock {
            $0.isStopping = true
            for connection in $0.connections.values {
                MHD_resume_connection(OpaquePointer(bitPattern: connection))
            }
            $0.connections = [:]
        }
        MHD_stop_daemon(OpaquePointer(bitPattern: running))
        core.withLock { $0.close() }
        Unmanaged.passUnretained(self).release()
    }

    /// Answers a request whose last byte has come, or suspends it for its latency.
    fileprivate func finish(
        _ pending: PendingRequest, method: String, on connection: OpaquePointer
    ) -> MHD_Result {
        switch pending.phase {
        case .head, .body:
            guard settings.faults.latency > .zero else { break }
            pending.phase = .delayed
            return suspend(connection)
        case .delayed:
            if suspended.withLock({ $0.isStopping }) { return .NO }
        }
        let outcome = outcome(of: pending, method: method, on: connection)
        log(outcome, pending, method)
        switch outcome {
        case .answer(let answer, _): return Self.send(answer, on: connection)
        case .close: return .NO
        case .failed(let error):
            settings.failed(error)
            return .NO
        }
    }

    private func outcome(
        of pending: PendingRequest, method: String, on connection: OpaquePointer
    ) -> ServerCore.Outcome {
        // libmicrohttpd leaves the body of an answer to HEAD out.
        guard let known = HTTPMethod(rawValue: method == "HEAD" ? "GET" : method) else {
            return .answer(ReferenceServer.refusal(405, "Method Not Allowed"), .served)
        }
        let request = pending.request(
            method: known, fields: Self.fields(of: connection),
            origin: Origin(scheme: "http", host: "127.0.0.1", port: Int(port)))
        return core.withLock { $0.handle(request, atMilliseconds: settings.milliseconds()) }
    }

    private func suspend(_ connection: OpaquePointer) -> MHD_Result {
        let wait: UInt64? = suspended.withLock {
            guard !$0.isStopping else { return nil }
            $0.waits += 1
            $0.connections[$0.waits] = Int(bitPattern: connection)
            MHD_suspend_connection(connection)
            return $0.waits
        }
        guard let wait else { return .NO }
        let milliseconds = Int(clamping: settings.faults.latency.wholeMilliseconds)
        timers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { self.resume(wait) }
        return .YES
    }

    private func resume(_ wait: UInt64) {
        suspended.withLock {
            guard let connection = $0.connections.removeValue(forKey: wait) else { return }
            MHD_resume_connection(OpaquePointer(bitPattern: connection))
        }
    }

    private func log(_ outcome: ServerCore.Outcome, _ pending: PendingRequest, _ method: String) {
        let text =
            switch outcome {
            case .answer(let answer, .refused): "\(answer.status) (fault: refused)"
            case .answer(let answer, .misled(let fault)):
                "\(answer.status) (fault: \(fault.rawValue))"
            case .answer(let answer, .deceived(let untruth)):
                "\(answer.status) (untrue: \(untruth.rawValue))"
            case .answer(let answer, _): "\(answer.status)"
            case .close(.answerLost): "- (fault: done, answer lost)"
            case .close: "- (fault: request lost)"
            case .failed: "- (not saved)"
            }
        let line = RequestLine(method: method, target: pending.target, outcome: text)
        settings.log(line.description)
    }

    private static func fields(of connection: OpaquePointer) -> [HTTPField] {
        var fields: [HTTPField] = []
        withUnsafeMutablePointer(to: &fields) { place in
            _ = MHD_get_connection_values(connection, .HEADER_KIND, addField, place)
        }
        return fields
    }

    private static func send(_ answer: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
        var body = answer.body
        guard
            let response = MHD_create_response_from_buffer(
                body.count, &body, .RESPMEM_MUST_COPY)
        else { return .NO }
        defer { MHD_destroy_response(response) }
        for field in answer.fields {
            MHD_add_response_header(response, field.name, field.value)
        }
        return MHD_queue_response(connection, UInt32(clamping: answer.status), response)
    }
}

// libmicrohttpd's callbacks. They stand outside of every type and every actor.

private func server(_ closure: UnsafeMutableRawPointer?) -> LoopbackServer? {
    closure.map { Unmanaged<LoopbackServer>.fromOpaque($0).takeUnretainedValue() }
}

private func pending(_ context: UnsafeMutableRawPointer?) -> PendingRequest? {
    context.map { Unmanaged<PendingRequest>.fromOpaque($0).takeUnretainedValue() }
}

/// Called when a connection begins and when it ends: the only pair of calls that always is one,
/// for a request that breaks off in its header is never reported as over.
private func noticeConnection(
    _ closure: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let context else { return }
    if let old = context.pointee { Unmanaged<PendingRequest>.fromOpaque(old).release() }
    context.pointee =
        event == .CONNECTION_NOTIFY_STARTED
        ? Unmanaged.passRetained(PendingRequest(bodyLimit: LoopbackServer.bodyLimit)).toOpaque()
        : nil
}

/// Called with the first line of a request, before anything is decoded.
private func beginRequest(
    _ closure: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?,
    _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    pending(syncd_mhd_connection_context(connection))?
        .begin(target: target.map { String(cString: $0) } ?? "")
    return nil
}

/// Called once with the head of a request, then with pieces of its body, then with its end, and
/// once more after a suspension.
private func answerRequest(
    _ closure: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
    _ pieceSize: UnsafeMutablePointer<Int>?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = server(closure), let connection, let method, let pieceSize,
        let pending = pending(syncd_mhd_connection_context(connection))
    else { return .NO }
    if pending.phase == .head {
        pending.phase = .body
        return .YES
    }
    if pieceSize.pointee > 0 {
        pending.take(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
        pieceSize.pointee = 0
        return .YES
    }
    return server.finish(pending, method: String(cString: method), on: connection)
}

/// Called with each header of a request.
private func addField(
    _ place: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let place, let name else { return .YES }
    let field = HTTPField(String(cString: name), value.map { String(cString: $0) } ?? "")
    place.assumingMemoryBound(to: [HTTPField].self).pointee.append(field)
    return .YES
}
