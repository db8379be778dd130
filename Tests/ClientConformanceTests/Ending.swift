import APIClient

/// What a call came to, as a value to compare: the words of errors are each transport's own.
enum Ending: Sendable, Equatable {
    case result(String)
    case status(StatusFailure)
    case failure(String, mayHaveArrived: Bool)

    init(_ error: APIError) {
        let kind: String
        switch error {
        case .status(let failure):
            self = .status(failure)
            return
        case .invalidRequest: kind = "invalidRequest"
        case .bodyNotEncodable: kind = "bodyNotEncodable"
        case .emptyData: kind = "emptyData"
        case .malformed: kind = "malformed"
        case .redirectRefused: kind = "redirectRefused"
        case .tokenStore: kind = "tokenStore"
        case .transport(let error): kind = Self.kind(of: error)
        }
        self = .failure(kind, mayHaveArrived: error.mayHaveArrived)
    }

    private static func kind(of error: TransportError) -> String {
        switch error {
        case .invalidRequest: "invalidRequest"
        case .missingLibrary: "missingLibrary"
        case .cannotConnect: "cannotConnect"
        case .untrusted: "untrusted"
        case .timedOut: "timedOut"
        case .interrupted: "interrupted"
        case .notHTTP: "notHTTP"
        case .bodyTooLarge: "bodyTooLarge"
        case .headerTooLarge: "headerTooLarge"
        case .cancelled: "cancelled"
        }
    }
}
