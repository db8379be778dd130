internal import FoundationEssentials
internal import Glibc
internal import Host

/// What a client has to know to be let in.
public struct DemoSecrets: Sendable, Hashable {
    /// Of the account demo@example.com.
    public var password = "demo"
    /// Of the movies, as Bearer token or as API key.
    public var token = "demo"

    /// Those that everybody knows.
    public init() {}

    private struct Document: Decodable {
        let password: String
        let token: String
    }

    private static let limit = 4096

    /// Reads `{"password": …, "token": …}` from the file at `path`: they stand in no argument.
    ///
    /// - Throws: ``DemoError/secretsUnreadable(path:_:)``; a file that holds something else is EINVAL.
    static func read(_ path: String) throws(DemoError) -> DemoSecrets {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: limit)
        } catch {
            throw .secretsUnreadable(path: path, error)
        }
        // What the decoder says could quote the file.
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
            !document.password.isEmpty, !document.token.isEmpty
        else {
            throw .secretsUnreadable(path: path, SystemError(operation: "decode", code: EINVAL))
        }
        var secrets = DemoSecrets()
        secrets.password = document.password
        secrets.token = document.token
        return secrets
    }
}
