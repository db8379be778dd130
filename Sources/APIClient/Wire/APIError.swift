/// Why a call to one of the two APIs brought no result.
///
/// Its texts never hold a secret or a value out of a body.
public enum APIError: Error, Sendable, Hashable {
    /// The request cannot be built: a control character in a header, an impossible e-mail.
    case invalidRequest(String)
    /// The request's body cannot be written as JSON.
    case bodyNotEncodable(String)
    /// There is no answer.
    case transport(TransportError)
    /// The answer's status is not the one that the call needs.
    case status(StatusFailure)
    /// A success without data where data is due.
    case emptyData
    /// The data is not JSON or of the wrong shape; says where and what.
    case malformed(String)
    /// A redirect that is not followed: another origin, too many, or not readable.
    case redirectRefused(String)
    /// The token could not be kept or read back.
    case tokenStore(String)

    /// Whether the server may have acted on the request. `false` only where that is certain; what
    /// a status means for a write is for the caller to decide.
    public var mayHaveArrived: Bool {
        switch self {
        case .invalidRequest, .bodyNotEncodable, .tokenStore: false
        case .transport(let error): error.mayHaveArrived
        case .status, .emptyData, .malformed, .redirectRefused: true
        }
    }

    /// How long the server asks us to wait, within 1 s…1 h.
    public var retryAfter: Duration? {
        guard case .status(let failure) = self else { return nil }
        return failure.retryAfter
    }

    /// What the person does about it.
    public var hint: String {
        switch self {
        case .invalidRequest: "Check the credentials and the identifiers for stray characters."
        case .bodyNotEncodable: "Use a text that JSON can hold."
        case .transport(let error): error.hint
        case .status(let failure): failure.hint
        case .emptyData, .malformed:
            "Check that the base URL leads to the API itself and not to another page or a proxy."
        case .redirectRefused: "Set the base URL to the address the server redirects to."
        case .tokenStore: "Check the permissions and the free space of the state directory."
        }
    }
}

extension APIError: CustomStringConvertible {
    /// What went wrong, and where.
    public var description: String {
        switch self {
        case .invalidRequest(let what): "the request cannot be sent: \(what)"
        case .bodyNotEncodable(let what): "the body cannot be encoded: \(what)"
        case .transport(let error): error.description
        case .status(let failure): failure.description
        case .emptyData: "the answer is empty, but it should hold data"
        case .malformed(let what): "the answer cannot be used: \(what)"
        case .redirectRefused(let what): "the redirect is not followed: \(what)"
        case .tokenStore(let what): "the token file failed: \(what)"
        }
    }
}
