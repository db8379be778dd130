/// The local id of a todo: stable for the row's life, never used again.
public struct TodoID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number in the database.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Older first.
    public static func < (left: TodoID, right: TodoID) -> Bool { left.rawValue < right.rawValue }

    /// The number.
    public var description: String { String(rawValue) }
}

/// The place of an operation in the outbox; grows with each one queued.
public struct OperationSequence: RawRepresentable, Sendable, Hashable, Comparable,
    CustomStringConvertible
{
    /// The number in the database.
    public let rawValue: Int64

    /// The place with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Queued earlier first.
    public static func < (left: OperationSequence, right: OperationSequence) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number.
    public var description: String { String(rawValue) }
}

/// How the last cycle of a resource ended.
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

/// What an operation does at the server.
public enum OperationKind: String, Sendable, Hashable {
    /// Makes the row there.
    case create
    /// Changes fields of the row there.
    case update
    /// Removes the row there.
    case delete
}

/// Where an operation stands.
public enum OperationState: String, Sendable, Hashable {
    /// Waiting to be sent.
    case queued
    /// Its intent is on the disk, its answer is not there yet.
    case sending
    /// Sent, with the answer lost: a pull decides it.
    case inDoubt = "in doubt"
    /// Refused by the server for good; the person retries or drops it.
    case rejected
}

/// Whose todos a cache holds.
public struct Account: Sendable, Hashable, CustomStringConvertible {
    /// The canonical base URL of the server.
    public let baseURL: String
    /// As the person wrote it; compared without case. Empty where a list names nobody.
    public let email: String

    /// An account at a server.
    public init(baseURL: String, email: String) {
        self.baseURL = baseURL
        self.email = email
    }

    /// The same server and the same e-mail without case.
    public static func == (left: Account, right: Account) -> Bool {
        left.baseURL == right.baseURL && left.email.lowercased() == right.email.lowercased()
    }

    /// Equal accounts hash alike.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(baseURL)
        hasher.combine(email.lowercased())
    }

    /// `email at baseURL`; where nobody is named, the server.
    public var description: String { email.isEmpty ? baseURL : "\(email) at \(baseURL)" }
}
