/// How the last cycle of a list ended.
public enum SyncState: String, Sendable, Hashable, CaseIterable {
    /// The last pull was taken.
    case ok
    /// No answer.
    case offline
    /// The server answers that it cannot do its work now.
    case failing
    /// The server refused the token and the login.
    case needsCredentials = "needs credentials"
    /// The base URL leads to something that is not the API.
    case misconfigured
    /// The server's certificate or TLS version is not acceptable.
    case untrusted
    /// A pull that would remove too much waits for a second one, or for the person.
    case held
    /// Not tried yet, or the server asked for a pause.
    case waiting
}
