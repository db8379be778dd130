/// One call of the todos API, with all that it sends.
///
/// Source: docs/server-api.md, "Todos".
public enum TodosCall: Sendable, Hashable {
    /// `GET /todos`: all of the user's todos.
    case list(token: String, validators: Validators?)
    /// `POST /todos`.
    case create(title: String, idempotencyKey: String?, token: String, timeout: Duration)
    /// `DELETE /todos/{id}`.
    case delete(ServerID, token: String, timeout: Duration)
    /// `POST /login`, with the credentials in a header and no body.
    case login(email: String, password: String)
    /// `POST /users`.
    case signUp(name: String, email: String, password: String)
}

extension TodosCall: CustomStringConvertible {
    /// Method and path; never a token, a password or a title.
    public var description: String {
        switch self {
        case .list: "GET /todos"
        case .create: "POST /todos"
        case .delete(let id, _, _): "DELETE /todos/\(id.percentEncoded)"
        case .login: "POST /login"
        case .signUp: "POST /users"
        }
    }

    /// What must not come back in any text.
    package var secrets: [String] {
        switch self {
        case .list(let token, _), .create(_, _, let token, _), .delete(_, let token, _): [token]
        case .login(let email, let password): ServerLogin.secrets(of: email, password)
        case .signUp(_, _, let password): [password]
        }
    }
}
