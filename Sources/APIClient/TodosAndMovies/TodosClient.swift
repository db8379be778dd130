package import Text

/// The todos API: builds requests, sends each once over a transport, reads the answers.
///
/// It holds no state: every call names its token. ``TodosSession`` keeps one. A write is sent once
/// and never repeated here; what an error means for it is the caller's to decide.
public struct TodosClient: Sendable {
    /// The server; a secret goes to its origin and nowhere else.
    public let baseURL: BaseURL
    /// For the calls that name no timeout of their own.
    public let limits: RequestLimits
    let userAgent: String
    let transport: any Transport
    /// Masked in every error, whichever call it is of.
    package let secrets: Secrets

    /// A client of the server at `baseURL`. An empty `userAgent` sends no such header.
    public init(
        baseURL: BaseURL = .localhost, limits: RequestLimits = .standard,
        userAgent: String = "syncd-api-client", transport: any Transport
    ) {
        self.init(
            baseURL: baseURL, limits: limits, userAgent: userAgent, transport: transport,
            secrets: Secrets())
    }

    /// The same for a process with more secrets than this client's.
    package init(
        baseURL: BaseURL, limits: RequestLimits, userAgent: String, transport: any Transport,
        secrets: Secrets
    ) {
        self.baseURL = baseURL
        self.limits = limits
        self.userAgent = userAgent
        self.transport = transport
        self.secrets = secrets
    }

    /// Reads the whole list as bytes; ``PullAnswer/notModified(_:)`` only where validators were sent.
    public func pullTodos(
        token: String, validators: Validators?
    ) async throws(APIError) -> PullAnswer {
        let call = TodosCall.list(token: token, validators: validators)
        return try await exchange(call).pull(try request(for: call))
    }

    /// Reads the whole list; every todo has an id.
    ///
    /// - Throws: ``APIError/malformed(_:)`` where one row is no todo.
    public func todos(token: String) async throws(APIError) -> [Todo] {
        let body = try await data(of: .list(token: token, validators: nil))
        let todos = try JSONAnswer.decode([Todo].self, from: body)
        if let index = todos.firstIndex(where: { $0.id == nil }) {
            throw .malformed("[\(index)].id: missing")
        }
        return todos
    }

    /// Creates a todo; the answer must be one with an id.
    ///
    /// After an error whose ``APIError/mayHaveArrived`` is true the todo may exist. Sending the
    /// same key again is safe where the server honours `Idempotency-Key`.
    public func createTodo(
        title: String, idempotencyKey: String?, token: String, timeout: Duration
    ) async throws(APIError) -> CreatedTodo {
        let body = try await createTodoBody(
            title: title, idempotencyKey: idempotencyKey, token: token, timeout: timeout)
        guard !body.isEmpty else { throw .emptyData }
        let todo = try JSONAnswer.decode(Todo.self, from: body)
        guard todo.id != nil else { throw .malformed("id: missing") }
        return CreatedTodo(todo: todo, body: body)
    }

    /// Creates a todo and returns the answer's bytes, which have passed ``BodyCheck`` and can be
    /// anything, also nothing: the caller judges them.
    public func createTodoBody(
        title: String, idempotencyKey: String?, token: String, timeout: Duration
    ) async throws(APIError) -> [UInt8] {
        try await checkedBody(
            of: .create(
                title: title, idempotencyKey: idempotencyKey, token: token, timeout: timeout))
    }

    /// Deletes a todo. Any success is one, whatever its body says; but a page of HTML is a captive
    /// portal's, and ``APIError/malformed(_:)``.
    ///
    /// That the todo is gone (404, 410) is an ``APIError/status(_:)`` here.
    public func deleteTodo(
        _ id: ServerID, token: String, timeout: Duration
    ) async throws(APIError) {
        let call = TodosCall.delete(id, token: token, timeout: timeout)
        _ = try await exchange(call).write(try request(for: call))
    }

    /// Logs in and returns the token. Each login makes one more token at the server.
    public func login(email: String, password: String) async throws(APIError) -> String {
        struct Login: Decodable { let string: String }
        let body = try await data(of: .login(email: email, password: password))
        let login = try JSONAnswer.decode(Login.self, from: body)
        guard (1...8192).contains(login.string.utf8.count), HeaderRule.isClean(login.string) else {
            throw .malformed("string: empty, longer than 8192 bytes, or not fit for a header")
        }
        secrets.register(login.string)
        return login.string
    }

    /// Makes an account; the password is sent as its own confirmation.
    public func createUser(
        name: String, email: String, password: String
    ) async throws(APIError) -> User {
        let body = try await data(of: .signUp(name: name, email: email, password: password))
        return try JSONAnswer.decode(User.self, from: body)
    }

    private func exchange(_ call: TodosCall) -> Exchange {
        for secret in call.secrets { secrets.register(secret) }
        return Exchange(transport: transport, secrets: secrets)
    }

    private func checkedBody(of call: TodosCall) async throws(APIError) -> [UInt8] {
        let request = try request(for: call)
        let exchange = exchange(call)
        return try exchange.checkedBody(of: try await exchange.answer(to: request), to: request)
    }

    private func data(of call: TodosCall) async throws(APIError) -> [UInt8] {
        let body = try await checkedBody(of: call)
        guard !body.isEmpty else { throw .emptyData }
        return body
    }
}
