internal import Host

/// Where a secret is, before it is read.
///
/// Settings are loaded without it, because most commands need no secret and are run by people who
/// may not read it.
public struct SecretSource: Sendable, Hashable {
    /// The kinds of places.
    public enum Place: Sendable, Hashable {
        /// In the configuration, which is allowed for a server on this machine only.
        case inline(Secret)
        /// In a file of its own, which nobody else may read.
        case file(String)
        /// In a file that the service manager guards.
        case credential(String)
    }

    /// What the secret must look like.
    public enum Form: Sendable, Hashable {
        /// It stands in a header or a URL as it is: visible ASCII.
        case token
        /// It is sent in base64: any text without control characters.
        case password
    }

    /// The largest secret, in bytes.
    static let limit = 8192

    /// The key or the credential that names it: `todos.passwordFile`.
    public let name: String
    /// Where it is.
    public let place: Place
    let form: Form

    init(name: String, place: Place, form: Form) {
        self.name = name
        self.place = place
        self.form = form
    }

    /// Whether it is the `demo` of the examples, which is a default of its key.
    public var isKnownToAll: Bool {
        guard case .inline(let secret) = place else { return false }
        return KnownKey.named(name)?.defaultValue == .text(secret.revealed)
    }

    /// Whether the file that names it holds it, and is to be read by nobody else. What everybody knows, as the
    /// `demo` of the examples, is no secret.
    var needsPrivateFile: Bool {
        if case .inline = place { !isKnownToAll } else { false }
    }

    /// Reads the secret. One newline at the end of a file is dropped.
    ///
    /// - Parameter user: The effective user id, whose own (or root's) the file must be.
    /// - Returns: The secret, neither empty nor with control characters.
    /// - Throws: ``ConfigurationError/secretFile(name:_:)`` when the file cannot be read safely,
    ///   ``ConfigurationError/badSecret(name:problem:)`` when what it holds cannot be a secret.
    public func read(user: UInt32) throws(ConfigurationError) -> Secret {
        switch place {
        case .inline(let secret): return secret
        case .file(let path): return try read(path, user: user)
        // The service manager decides about owner and mode there.
        case .credential(let path): return try read(path, user: nil)
        }
    }

    private func read(_ path: String, user: UInt32?) throws(ConfigurationError) -> Secret {
        var bytes: [UInt8]
        do throws(FileError) {
            bytes = try SmallFile(path: path, limit: Self.limit).readSecret(user: user)
        } catch {
            throw .secretFile(name: name, error)
        }
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        return try Self.check(bytes, name: name, form: form)
    }

    /// Refuses what would break a header, without ever telling it.
    ///
    /// - Parameters:
    ///   - bytes: The secret, without a newline at its end.
    ///   - name: What the message calls it.
    ///   - form: What it must look like.
    /// - Returns: The secret as text.
    /// - Throws: ``ConfigurationError/badSecret(name:problem:)``.
    public static func check(
        _ bytes: [UInt8], name: String, form: Form
    ) throws(ConfigurationError) -> Secret {
        func bad(_ problem: String) -> ConfigurationError {
            .badSecret(name: name, problem: problem)
        }
        guard !bytes.isEmpty else { throw bad("it is empty") }
        guard bytes.count <= limit else { throw bad("it is larger than \(limit) bytes") }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw bad("it holds a control character, such as a second line")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw bad("it is not UTF-8")
        }
        guard form == .password || bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw bad("it holds a space or a character outside ASCII")
        }
        return Secret(text)
    }
}
