import APIClient
import HostileHTTP

extension HostileServer {
    /// A client of this server over libcurl.
    func todos() throws -> TodosClient {
        TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:\(port)"),
            limits: RequestLimits(timeout: .seconds(20), maxBodyBytes: 1_000_000),
            transport: Rig.curl())
    }

    /// The same for movies.
    func movies(_ credential: MoviesCredential) throws -> MoviesClient {
        MoviesClient(
            baseURL: try BaseURL("http://127.0.0.1:\(port)"), credential: credential,
            limits: RequestLimits(timeout: .seconds(20), maxBodyBytes: 1_000_000),
            transport: Rig.curl())
    }
}

extension HostileServer.Received {
    var path: String { String(line.split(separator: " ")[1]) }
}

/// A call whose result does not matter.
enum Act: CaseIterable {
    case list, login, create, delete
}

extension TodosClient {
    /// The error of a call, or nil for a success.
    func failure(of act: Act, token: String = "t") async -> APIError? {
        do throws(APIError) {
            switch act {
            case .list: _ = try await todos(token: token)
            case .login: _ = try await login(email: "e", password: "p")
            case .create:
                _ = try await createTodo(
                    title: "a", idempotencyKey: nil, token: token, timeout: limits.timeout)
            case .delete:
                try await deleteTodo(ServerID(7), token: token, timeout: limits.timeout)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension APIError? {
    /// The status, where it is one.
    var code: Int? {
        if case .status(let failure) = self { failure.code } else { nil }
    }

    var isRedirectRefused: Bool { if case .redirectRefused = self { true } else { false } }

    var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
