extension ListClient {
    /// Tells the fixed header fields from others, and is too short to guess them: one of 65 536.
    public var headerMark: String {
        let lines = fields.filter { $0.name.lowercased() != "user-agent" }
            .map { "\($0.name.lowercased()): \($0.value)" }
        return ListCredential.mark(of: lines.sorted().joined(separator: "\n"))
    }

    /// Tells a credential from others that names nobody, as a token, and is too short to guess it. Nil where there
    /// is none, or where it names its account.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the secret cannot be read.
    public func namelessMark() throws(APIError) -> String? {
        switch credential {
        case .none, .basic: nil
        case .login(let session, _, _): session.isNameless ? try mark() : nil
        case .bearer, .header, .query: try mark()
        }
    }

    /// The same of any credential; nil where there is none.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the secret cannot be read.
    public func mark() throws(APIError) -> String? { try credential.mark() }
}
