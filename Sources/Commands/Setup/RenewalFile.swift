internal import APIClient
internal import FoundationEssentials
internal import Host
internal import Text

/// The token that renews those of a server, in a private file beside them.
struct RenewalFile: RenewalStore {
    let directory: StateDirectory
    let name: String
    let secrets: Secrets

    func load() async throws(TokenStoreError) -> StoredRenewal? {
        let found = try directory.load(StoredRenewal.self, from: name)
        for token in [found?.current, found?.previous].compactMap(\.self) {
            secrets.register(token)
        }
        return found
    }

    func save(_ renewal: StoredRenewal) async throws(TokenStoreError) {
        try directory.save(renewal, to: name)
    }
}

extension StateDirectory {
    /// A file of tokens is some dozens or thousands of bytes; nothing that is larger was written here.
    private static let limit = 65_536

    /// What a private file of tokens has; nil where there is none, or none that can be understood.
    func load<Value: Decodable>(
        _ type: Value.Type, from name: String
    ) throws(TokenStoreError) -> Value? {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try readPrivateFile(name, limit: Self.limit)
        } catch .tooLarge {
            return nil
        } catch {
            throw .unreadable("\(error)")
        }
        // A file that a crash or a hand left unreadable costs one login, no more.
        return bytes.flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }

    /// Writes a private file of tokens.
    func save(_ value: some Encodable, to name: String) throws(TokenStoreError) {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            bytes = Array(try encoder.encode(value))
        } catch {
            throw .unwritable("it cannot be written as JSON")
        }
        do throws(FileError) {
            try replaceFile(name, with: bytes)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
