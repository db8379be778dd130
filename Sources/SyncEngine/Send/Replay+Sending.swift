internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

extension Replay {
    /// Sends one operation once, within the rest of its deadline, which began with its intent.
    func attempt(_ operation: OutgoingOperation, intent: BootTime) async -> Attempt {
        let call: RowCall
        do throws(APIError) {
            call = try self.call(for: operation)
        } catch {
            // No later attempt could write it otherwise.
            let wait = postponement(operation, after: error)
            return Attempt(operation: operation, settlement: .rejected(wait), wait: wait)
        }
        var token: String?
        do throws(APIError) {
            let current = try await source.client.secret()
            token = current
            guard try source.identity() == identity else {
                return unsent(operation, because: "its list has another credential now")
            }
            let left = writing.timeout - engine.time.bootTime().elapsed(since: intent)
            guard left > .zero else {
                throw APIError.transport(.timedOut(mayHaveArrived: false))
            }
            if operation.kind != .create, !permission.isListFresh(at: engine.time.bootTime()) {
                return unsent(operation, because: "the list that shows the row is too old")
            }
            return try await answered(operation, call, token: current, timeout: left)
        } catch {
            return failed(operation, error, token: token)
        }
    }

    private func answered(
        _ operation: OutgoingOperation, _ call: RowCall, token: String, timeout: Duration
    ) async throws(APIError) -> Attempt {
        let answer = try await source.client.send(call, secret: token, timeout: timeout)
        let refusal = answer.refusal.map { words in
            var wait = postponement(operation, after: .malformed(words))
            wait.status = answer.status
            wait.error = "the server refuses in a success: \(words)"
            return wait
        }
        return Attempt(
            operation: operation,
            settlement: .accepted(
                Acceptance(
                    status: answer.status, body: answer.body,
                    named: operation.kind == .create ? named(in: answer, call) : nil,
                    at: engine.time.bootTime(), refusal: refusal)))
    }

    /// The id of a new row that the header names.
    private func named(in answer: WriteAnswer, _ call: RowCall) -> String? {
        switch source.table.declaration.calls[.create]?.answerID {
        case .header(let name): answer.id(in: name)
        case .member: nil
        case nil:
            answer.id(
                in: "Location",
                below: source.client.baseURL.path + String(call.path.prefix { $0 != "?" }))
        }
    }

    private func call(for operation: OutgoingOperation) throws(APIError) -> RowCall {
        let declaration = source.table.declaration
        let kind = operation.kind.call
        guard let call = writeCall(for: operation) else {
            throw .invalidRequest("\(declaration.name) has no call to \(kind.rawValue) a row")
        }
        // Also where the server is not known to honour it: one that does makes no row twice.
        var name: String? = kind == .create ? "Idempotency-Key" : nil
        if case .header(let own) = declaration.once, name != nil { name = own }
        let key = name.map { HTTPField($0, operation.idempotencyKey) }
        return try RowRequest.call(
            call, of: declaration,
            for: RowValues(
                serverID: operation.serverID, version: operation.version, values: operation.values,
                known: operation.kind == .create ? [:] : operation.known,
                changed: operation.changed, document: operation.document),
            key: key)
    }

    /// What a declaration says of the call.
    private func writeCall(for operation: OutgoingOperation) -> WriteCall? {
        let declaration = source.table.declaration
        return operation.kind == .update
            ? declaration.update(of: operation.changed)?.call
            : declaration.calls[operation.kind.call]
    }

    /// The statuses by which the server says that the row has changed since the list came.
    private func isStale(_ error: APIError, _ operation: OutgoingOperation) -> Bool {
        guard operation.kind != .create, let code = error.statusCode else { return false }
        return writeCall(for: operation)?.stale.contains(code) ?? false
    }

    /// Nothing left the machine, and nothing speaks against another try at once.
    private func unsent(_ operation: OutgoingOperation, because reason: String) -> Attempt {
        let now = engine.time.bootTime()
        let wait = Postponement(
            until: now, shown: engine.shown(now), askedUntil: nil, status: nil, error: reason)
        return Attempt(operation: operation, settlement: .notApplied(wait), wait: wait)
    }

    private func failed(
        _ operation: OutgoingOperation, _ error: APIError, token: String?
    ) -> Attempt {
        var wait = postponement(operation, after: error)
        guard let token else {
            // There is no token: the login failed, and nothing was sent.
            let verdict = PullVerdict.state(after: error)
            let halts = verdict == .needsCredentials || verdict == .misconfigured
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                countsAsOutage: !halts && !error.isCancellation,
                halt: halts ? CycleFailure(state: verdict, error: error) : nil)
        }
        let verdict = self.verdict(on: error, operation)
        if verdict.isOfOperation { wait.refusal = refusal(by: error) }
        switch verdict {
        case .rejected:
            return Attempt(
                operation: operation, settlement: .rejected(wait), wait: wait,
                refusal: error.refusal)
        case .notApplied where isStale(error, operation):
            return Attempt(
                operation: operation, settlement: .stale(wait, version: operation.version),
                wait: wait)
        case .notApplied where error.isNotNow:
            return throttled(operation, error, wait)
        case .notApplied:
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                countsAsOutage: !error.isCancellation)
        case .doubtful:
            return Attempt(
                operation: operation, settlement: .doubtful(wait, isOver: false), wait: wait,
                countsAsOutage: error.statusCode == 503, isThrottled: error.statusCode == 503,
                asked: error.retryAfter)
        case .saidToBeGone:
            return Attempt(
                operation: operation, settlement: .doubtful(wait, isOver: true), wait: wait,
                refusal: error.refusal)
        case .elsewhere:
            return Attempt(
                operation: operation, settlement: .doubtful(wait, isOver: true), wait: wait,
                closing: misconfigured(error, operation))
        case .misconfigured:
            return Attempt(
                operation: operation,
                settlement: error.refusal == nil ? .notApplied(wait) : .refusedInRun(wait),
                wait: wait,
                closing: misconfigured(error, operation))
        case .credentials:
            return Attempt(
                operation: operation, settlement: .notApplied(wait), wait: wait,
                refusedSecret: (token, error))
        }
    }

    private func refusal(by error: APIError) -> Refusal? {
        guard case .status(let failure) = error, !failure.isNotNow else { return nil }
        return Refusal(
            status: failure.code, reason: failure.reason, at: engine.time.bootTime())
    }

    /// A redirect often differs from the declared path by a slash alone. The path of the todos is ours.
    private func misconfigured(_ error: APIError, _ operation: OutgoingOperation) -> CycleFailure {
        let declaration = source.table.declaration
        guard declaration.name != .todos, case .status(let failure) = error,
            let call = writeCall(for: operation),
            let line = MovedCall.line(
                for: call, operation.kind.call, of: declaration, failure,
                base: source.client.baseURL)
        else { return CycleFailure(state: .misconfigured, error: error) }
        return CycleFailure(moved: error, line: line, of: declaration.name)
    }

    private func verdict(on error: APIError, _ operation: OutgoingOperation) -> AnswerVerdict {
        if source.client.refuses(error) { return .credentials }
        // The next list has the newest version.
        if isStale(error, operation) { return .notApplied }
        let verdict = AnswerVerdict.of(error, on: operation.kind)
        // The path names a column: what is not there is what the row belongs to, not the API.
        let isOfRow =
            verdict == .misconfigured && error.statusCode == 404
            && hasColumnInPath(operation)
        return isOfRow ? .rejected : verdict
    }

    private func hasColumnInPath(_ operation: OutgoingOperation) -> Bool {
        writeCall(for: operation)?.path.columns.isEmpty == false
    }

    /// The server is asked too often. The operation goes again in this replay, as soon as the pace
    /// allows. It has no wait of its own, unless the server asked for a longer one.
    private func throttled(
        _ operation: OutgoingOperation, _ error: APIError, _ wait: Postponement
    ) -> Attempt {
        var soon = wait
        if wait.askedUntil == nil {
            soon.until = engine.time.bootTime()
            soon.shown = engine.shown(soon.until)
        }
        return Attempt(
            operation: operation, settlement: .notApplied(soon), wait: wait, isThrottled: true,
            goesAgain: true, asked: error.retryAfter)
    }

    /// One login for a refused token, shared by all who met it; what is left to halt for.
    func renewalFailure(
        refused token: String, by refusal: APIError
    ) async -> CycleFailure? {
        guard !renewed.contains(token) else {
            return CycleFailure(state: .needsCredentials, error: refusal)
        }
        do throws(APIError) {
            guard
                let other = try await source.client.renewed(
                    otherThan: token, in: source.turns(for: engine))
            else {
                return CycleFailure(state: .needsCredentials, error: refusal)
            }
            renewed.insert(other)
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
            status: error.statusCode ?? error.successStatus, error: error.description)
    }
}

extension OperationKind {
    /// The call that carries it out.
    fileprivate var call: WriteCall.Kind {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }
}
