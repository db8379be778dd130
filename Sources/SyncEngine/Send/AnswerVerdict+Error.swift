package import APIClient
package import Rules

extension AnswerVerdict {
    /// Whether the answer can be about the operation itself, not about who asks and where the server is.
    var isOfOperation: Bool {
        switch self {
        case .rejected, .doubtful, .misconfigured: true
        case .notApplied, .credentials, .elsewhere, .saidToBeGone: false
        }
    }

    /// The verdict on an attempt of `kind` that ended with `error`.
    package static func of(_ error: APIError, on kind: OperationKind) -> AnswerVerdict {
        switch error {
        case .invalidRequest, .tokenStore: .notApplied
        // No later attempt could write it as JSON either.
        case .bodyNotEncodable: .rejected
        case .transport(let error): error.mayHaveArrived ? .doubtful : .notApplied
        // A page of a captive portal instead of an answer: nothing is under way any more.
        case .malformed where kind == .delete: .saidToBeGone
        case .emptyData, .malformed, .redirectRefused: .doubtful
        // What is in the way of a request may be what it has done itself, when it came before.
        case .status(let failure) where failure.isNotNow && failure.code != 409: .notApplied
        case .status(let failure): of(status: failure.code, on: kind)
        }
    }
}
