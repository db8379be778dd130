import Glibc
import Testing

/// A stage with four lists of one server that has a login, named `app`.
final class LoginStage {
    let stage: Stage
    let address: String
    /// The file of its password.
    let password: String
    private let server: Child

    static let lists = ["people", "notes", "tasks", "visits"]

    init(path: String = "/login", password text: String) async throws {
        stage = try Stage()
        let file = try stage.write(#"[{"id": 1, "title": "a"}]"#, to: "served/tasks.json")
        (server, address) = try await stage.startServer([
            "--lists-need-login", "--lists-take-writes", "--list", file,
        ])
        password = try stage.write(text, to: "secrets/password")
        try stage.write(
            """
            {"servers": {"app": {"baseURL": "\(address)", "auth": {
                "kind": "login", "path": "\(path)", "user": "demo@example.com",
                "passwordFile": "\(password)", "token": "$.string"}}}}
            """, to: stage.configuration)
        for name in Self.lists {
            try stage.write(
                """
                {"server": "app", "list": "/lists/tasks", "id": "$.id",
                 "columns": {"title": "text $.title"}}
                """, to: "config/syncd/lists/\(name).json")
        }
    }

    func kill() { server.kill(SIGKILL) }
}
