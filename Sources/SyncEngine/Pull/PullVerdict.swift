package import APIClient
package import Store

/// What the failure of a pull says of the list.
package enum PullVerdict: Sendable {
    /// The state that the status shows after a pull that ended with `error`.
    package static func state(after error: APIError) -> SyncState {
        switch error {
        case .invalidRequest, .bodyNotEncodable, .emptyData, .malformed, .redirectRefused:
            .misconfigured
        case .tokenStore: .needsCredentials
        case .transport(let error): state(after: error)
        case .status(let failure) where failure.refusesCredentials: .needsCredentials
        case .status(let failure) where failure.isNotNow: .waiting
        case .status(let failure):
            state(afterStatus: failure.code, asksToWait: failure.retryAfter != nil)
        }
    }

    private static func state(after error: TransportError) -> SyncState {
        switch error {
        case .untrusted: .untrusted
        case .invalidRequest, .missingLibrary, .notHTTP, .bodyTooLarge, .headerTooLarge:
            .misconfigured
        case .cannotConnect, .timedOut, .interrupted, .cancelled: .offline
        }
    }

    private static func state(afterStatus code: Int, asksToWait: Bool) -> SyncState {
        switch code {
        case 407: .needsCredentials
        case 408, 425: .failing
        case 500...: asksToWait ? .waiting : .failing
        default: .misconfigured
        }
    }
}
