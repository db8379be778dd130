internal import APIClient
internal import Host
internal import Store

/// One attempt of an operation, ended.
struct Attempt: Sendable {
    let operation: OutgoingOperation
    let settlement: Settlement
    /// Until when the operation waits where the attempt came to nothing.
    var wait: Postponement?
    /// Not sent, 429 or 503: a sign that the server is not there for anybody.
    var countsAsOutage = false
    /// Set where no operation can be sent.
    var halt: CycleFailure?
}

extension Replay {
    /// Sends one operation, once, within what is left of its deadline since its intent.
    func attempt(_ operation: OutgoingOperation, intent: BootTime) async -> Attempt {
        var token: String?
        do throws(APIError) {
            let current = try await source.session.token()
            token = current
            let left = source.timeout - engine.time.bootTime().elapsed(since: intent)
            guard left > .zero else {
                throw APIError.transport(.timedOut(mayHaveArrived: false))
            }
            return try await answered(operation, token: current, timeout: left)
        } catch {
            return await failed(operation, error, token: token)
        }
    }

    private func answered(
        _ operation: OutgoingOperation, token: String, timeout: Duration
    ) async throws(APIError) -> Attempt {
        switch operation.kind {
        case .create:
            let body = try await source.session.client.createTodoBody(
                title: operation.title, idempotencyKey: operation.idempotencyKey, token: token,
                timeout: timeout)
            let doubt = postponement(operation, after: .malformed("no todo in the answer"))
            return Attempt(
                operation: operation, settlement: .created(body: body, otherwise: doubt))
        case .delete:
            guard let id = operation.serverID.flatMap({ ServerID($0) }) else {
                throw .invalidRequest("the todo has no id at the server")
            }
            try await source.session.client.deleteTodo(id, token: token, timeout: timeout)
            return Attempt(operation: operation, settlement: .deleted)
        }
    }

    private func failed(
        _ operation: OutgoingOperation, _ error: APIError, token: String?
    ) async -> Attempt {
        let wait = postponement(operation, after: error)
        guard let token else {
            // There is no token: the login failed, and nothing was sent.
            let verdict = PullVerdict.state(after: error)
            let halts = verdict == .needsCredentials || verdict == .misconfigured
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                countsAsOutage: !halts && !error.isCancellation,
                halt: halts ? CycleFailure(state: verdict, error: error) : nil)
        }
        switch AnswerVerdict.of(error, on: operation.kind) {
        case .done:
            return Attempt(operation: operation, settlement: .deleted)
        case .rejected:
            return Attempt(operation: operation, settlement: .rejected(wait))
        case .notApplied:
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                countsAsOutage: !error.isCancellation)
        case .doubtful:
            return Attempt(
                operation: operation, settlement: .doubtful(wait), wait: wait,
                countsAsOutage: error.statusCode == 503)
        case .misconfigured:
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                halt: CycleFailure(state: .misconfigured, error: error))
        case .credentials:
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                halt: await renewalFailure(refused: token, by: error))
        }
    }

    /// One login for a refused token, shared by all who met it; what is left to halt for.
    private func renewalFailure(
        refused token: String, by refusal: APIError
    ) async -> CycleFailure? {
        guard !renewed.contains(token) else {
            return CycleFailure(state: .needsCredentials, error: refusal)
        }
        do throws(APIError) {
            renewed.insert(try await source.session.renew(refused: token))
            return nil
        } catch {
            return CycleFailure(state: PullVerdict.state(after: error), error: error)
        }
    }

    private func postponement(
        _ operation: OutgoingOperation, after error: APIError
    ) -> Postponement {
        let wait = engine.wait(afterFailures: operation.attempts, serverAsks: error.retryAfter)
        return Postponement(
            until: wait.until, shown: engine.shown(wait.until), askedUntil: wait.askedUntil,
            status: error.statusCode, error: error.description)
    }
}

extension APIError {
    fileprivate var statusCode: Int? {
        guard case .status(let failure) = self else { return nil }
        return failure.code
    }
}
