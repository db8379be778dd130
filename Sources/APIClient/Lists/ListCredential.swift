/// How a server is told who asks.
public enum ListCredential: Sendable {
    /// Not at all.
    case none
    /// `Authorization: Bearer SECRET`.
    ///
    /// Source: RFC 6750 §2.1.
    case bearer(HeldSecret)
    /// A header field of the server's own, with a text before the secret.
    case header(name: String, prefix: String, HeldSecret)
    /// A parameter of the query. It is in no address that is stored or shown.
    case query(name: String, HeldSecret)
    /// `Authorization: Basic …`.
    ///
    /// Source: RFC 7617 §2.
    case basic(user: String, HeldSecret)
    /// The token of a login. The status by which the server asks for a new one, and what stands before the
    /// token: `Bearer `, or `Token ` at Django REST framework.
    case login(LoginSession, refusal: Int, prefix: String = "Bearer ")

    /// The secret, where there is one.
    var holder: (any SecretHolder)? {
        switch self {
        case .none: nil
        case .bearer(let secret), .header(_, _, let secret), .query(_, let secret),
            .basic(_, let secret):
            secret
        case .login(let session, _, _): session
        }
    }

    /// A secret that all lists of a server share as it is.
    var held: HeldSecret? { holder as? HeldSecret }

    /// The status of an answer that refuses the secret.
    var refusal: Int { if case .login(_, let status, _) = self { status } else { 401 } }

    /// Tells two credentials apart, and is too short to guess either: one of 65 536. Of a login it is the
    /// account: a new token sees the same rows. Nil where nobody is asked for.
    func mark() throws(APIError) -> String? {
        switch self {
        case .none: return nil
        case .bearer(let secret), .header(_, _, let secret), .query(_, let secret):
            return Self.mark(of: ":" + (try secret.value()))
        case .basic(let user, let secret): return Self.mark(of: "\(user):" + (try secret.value()))
        case .login(let session, _, _): return Self.mark(of: try session.account())
        }
    }

    static func mark(of text: String) -> String {
        // FNV-1a, folded to 16 bits: http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let folded = hash ^ hash >> 32
        return String((folded ^ folded >> 16) & 0xFFFF, radix: 16)
    }

    /// What must not come back in any text.
    func texts(of secret: String) -> [String] {
        guard case .basic(let user, _) = self else { return [secret] }
        return ServerLogin.secrets(of: user, secret)
    }

    /// Puts `secret` into `request`.
    func sign(_ request: inout HTTPRequest, with secret: String) throws(APIError) {
        switch self {
        case .none: break
        case .bearer: request.fields.append(HTTPField("Authorization", "Bearer \(secret)"))
        case .login(_, _, let prefix):
            request.fields.append(HTTPField("Authorization", prefix + secret))
        case .header(let name, let prefix, _):
            request.fields.append(HTTPField(name, prefix + secret))
        case .query(let name, _):
            request.target = QueryCredential(name: name).signed(request.target, with: secret)
        case .basic(let user, _):
            request.fields.append(try .basic(user, secret))
        }
    }
}

/// Whoever has a secret, and may get another one when the server refuses it.
protocol SecretHolder: Sendable {
    /// Whether it has one without a request.
    func isAtHand() async throws(APIError) -> Bool
    /// The secret in use.
    func value() async throws(APIError) -> String
    /// Another one; nil where there is none.
    func renewed(otherThan refused: String) async throws(APIError) -> String?
}

extension LoginSession: SecretHolder {
    func isAtHand() async throws(APIError) -> Bool { try await tokenAtHand() != nil }

    func value() async throws(APIError) -> String { try await token() }

    func renewed(otherThan refused: String) async throws(APIError) -> String? {
        let token = try await renew(refused: refused)
        return token == refused ? nil : token
    }
}
