/// An answer whose status says that the call did not succeed.
public struct StatusFailure: Sendable, Hashable, CustomStringConvertible {
    /// As it came; can be outside 100–599.
    public var code: Int
    /// The server's own words, escaped, without secrets and at most 500 bytes long.
    public var reason: String?
    /// What `Retry-After`, or a limit that is used up, asks for, within 1 s…1 h.
    public var retryAfter: Duration?
    /// Method and URL without its query; empty where it is not known.
    public var endpoint: String
    /// Where the redirect of a write leads at the same server, path and query; nil for any other answer.
    public var movedTo: String?
    /// Whether the call was a login.
    public var isOfLogin = false

    /// A failure.
    public init(
        code: Int, reason: String?, retryAfter: Duration?, endpoint: String = "",
        movedTo: String? = nil
    ) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.endpoint = endpoint
        self.movedTo = movedTo
    }

    /// `GET http://localhost:8080/todos was answered 404: Not Found`.
    public var description: String {
        let subject = endpoint.isEmpty ? "the request" : endpoint
        return "\(subject) was answered \(code)" + (reason.map { ": \($0)" } ?? "")
    }

    /// Whether the server has done nothing, and says to come back: it limits how often it may be asked. Some say so in
    /// the words of a refusal, 403 above all. After 408, nobody knows whether it has done something.
    public var isNotNow: Bool {
        code == 429
            || (400...499).contains(code) && code != 401 && code != 408 && retryAfter != nil
    }

    /// Whether the server does not take what it was told of who asks. For a wrong password, OAuth 2 answers 400
    /// (RFC 6749 §5.2), and so do Django and FastAPI.
    public var refusesCredentials: Bool {
        code == 401 || code == 403 && !isNotNow || isOfLogin && [400, 422].contains(code)
    }

    /// What the person does about it.
    public var hint: String {
        switch code {
        case 200...299: "Check for a proxy between this machine and the server."
        case 300...399: "Check the base URL; the server says that the API is elsewhere."
        case _ where refusesCredentials: "Check the credentials in the configuration."
        case 404, 405, 410: "Check that the base URL leads to the API."
        case 407: "Check the settings of the proxy."
        case _ where isNotNow: "Wait; the server limits how often it may be asked."
        case 400...499: "Correct what the server's reason names, and try again."
        case 500...599: "Wait and try again; the server has a problem of its own."
        default: "Check that the base URL leads to the API and not to another service."
        }
    }
}
