import Text

extension TransportError: CustomStringConvertible {
    /// What went wrong on the way.
    public var description: String {
        switch self {
        case .invalidRequest(let what): "the request cannot be sent: \(what)"
        case .missingLibrary(let what): "a library cannot be loaded: \(what)"
        case .cannotConnect(let what): "no connection: \(what)"
        case .untrusted(let what): "the server is not trusted: \(what)"
        case .timedOut(let sent):
            sent ? "no complete answer in time" : "no connection in time"
        case .interrupted(let what, _): "the connection broke: \(what)"
        case .notHTTP(let what): "the answer is not HTTP: \(what)"
        case .bodyTooLarge(let limit): "the answer's body is larger than \(limit) bytes"
        case .headerTooLarge(let limit): "the answer's header is larger than \(limit) bytes"
        case .cancelled: "the request was cancelled"
        }
    }

    /// What the person does about it.
    public var hint: String {
        switch self {
        case .invalidRequest: "Check the credentials and the identifiers for stray characters."
        case .missingLibrary: "Install libcurl; Debian's package of it is libcurl4."
        case .cannotConnect: "Check the network and the base URL."
        case .untrusted:
            "Check the server's certificate, the CA file and the clock of this machine."
        case .timedOut, .interrupted: "Wait and try again, or allow a longer timeout."
        case .notHTTP:
            "Check the port of the base URL, and any proxy between this machine and the server."
        case .bodyTooLarge: "Allow larger bodies, or check that the base URL leads to the API."
        case .headerTooLarge: "Check that the base URL leads to the API."
        case .cancelled: "Start it again."
        }
    }

    /// The same error, its texts escaped, without secrets and at most 500 bytes long.
    func mended(by secrets: Secrets) -> TransportError {
        let mended = { (text: String) in secrets.mended(foreign: text, maxBytes: 500) }
        return switch self {
        case .invalidRequest(let what): .invalidRequest(mended(what))
        case .missingLibrary(let what): .missingLibrary(mended(what))
        case .cannotConnect(let what): .cannotConnect(mended(what))
        case .untrusted(let what): .untrusted(mended(what))
        case .interrupted(let what, let sent): .interrupted(mended(what), mayHaveArrived: sent)
        case .notHTTP(let what): .notHTTP(mended(what))
        case .timedOut, .bodyTooLarge, .headerTooLarge, .cancelled: self
        }
    }
}
