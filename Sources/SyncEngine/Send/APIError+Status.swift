internal import APIClient

/// What an error says of its operation.
extension APIError {
    /// The server asks for a later attempt.
    var isNotNow: Bool {
        if case .status(let failure) = self { failure.isNotNow } else { false }
    }

    /// The status that it was answered with.
    var statusCode: Int? {
        guard case .status(let failure) = self else { return nil }
        return failure.code
    }

    /// A success that does not show what it did leaves doubt. If lists show twice that it did nothing, it counts as a
    /// refusal. Otherwise a create that a filter hides would be made for ever.
    var successStatus: Int? {
        switch self {
        case .emptyData, .malformed: 200
        case .invalidRequest, .bodyNotEncodable, .transport, .status, .redirectRefused, .tokenStore:
            nil
        }
    }

    /// The status of a refusal that can be about more than its operation: see ``RefusalRuns``.
    var refusal: Int? {
        statusCode.flatMap { [403, 404, 405].contains($0) ? $0 : nil }
    }
}
