internal import APIClient
internal import FoundationEssentials
internal import Host

/// The last refusal of a server's login, in a private file beside its token.
struct LoginRefusalFile: LoginRefusalStore {
    /// It holds some words of the server.
    private static let limit = 4096

    let directory: StateDirectory
    let name: String

    func load() -> LoginRefusal? {
        // What cannot be read counts as none: that costs one login.
        guard let bytes = try? directory.readPrivateFile(name, limit: Self.limit) else {
            return nil
        }
        return try? JSONDecoder().decode(LoginRefusal.self, from: Data(bytes))
    }

    func save(_ refusal: LoginRefusal) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // What cannot be written costs one login, too.
        guard let data = try? encoder.encode(refusal) else { return }
        try? directory.replaceFile(name, with: Array(data))
    }

    // Where it stays, the next refusal is one more of the same secret.
    func discard() { try? directory.removeFile(name) }
}
