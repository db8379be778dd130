internal import APIClient
internal import FoundationEssentials
internal import Host
internal import Text

/// The token of a server, kept in a private file of the state directory.
struct TokenFile: TokenStore {
    /// A token is some dozens of bytes; nothing that is larger was written here.
    private static let limit = 65_536

    let directory: StateDirectory
    /// Each server has a file of its own.
    let name: String
    let secrets: Secrets

    func load() async throws(TokenStoreError) -> StoredToken? {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try directory.readPrivateFile(name, limit: Self.limit)
        } catch .tooLarge {
            return nil
        } catch {
            throw .unreadable("\(error)")
        }
        // A file that a crash or a hand left unreadable costs one login, no more.
        guard let bytes, let token = try? JSONDecoder().decode(StoredToken.self, from: Data(bytes))
        else { return nil }
        secrets.register(token.token)
        return token
    }

    func save(_ token: StoredToken) async throws(TokenStoreError) {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            bytes = Array(try encoder.encode(token))
        } catch {
            throw .unwritable("it cannot be written as JSON")
        }
        do throws(FileError) {
            try directory.replaceFile(name, with: bytes)
        } catch {
            throw .unwritable("\(error)")
        }
    }

    func discard() async throws(TokenStoreError) {
        do throws(FileError) {
            try directory.removeFile(name)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
