internal import APIClient
internal import Host
internal import Text

/// The token of a server, kept in a private file of the state directory.
struct TokenFile: TokenStore {
    let directory: StateDirectory
    /// Each server has a file of its own.
    let name: String
    let secrets: Secrets

    func load() async throws(TokenStoreError) -> StoredToken? {
        let token = try directory.load(StoredToken.self, from: name)
        if let token { secrets.register(token.token) }
        return token
    }

    func save(_ token: StoredToken) async throws(TokenStoreError) {
        try directory.save(token, to: name)
    }

    func discard() async throws(TokenStoreError) {
        do throws(FileError) {
            try directory.removeFile(name)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
