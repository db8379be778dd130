/// What an answer, or its absence, means for the operation that was sent.
///
/// Source: docs/server-api.md, "The answer to a create" and docs/server-api.md, "The answer to a delete".
package enum AnswerVerdict: Sendable, Hashable {
    /// Nothing was applied: again, with backoff.
    case notApplied
    /// The server refuses for good.
    case rejected
    /// The token was refused; nothing was applied.
    case credentials
    /// The base URL is not the API's; nothing was applied.
    case misconfigured
    /// The API is elsewhere, and the answer does not say whether the request was applied.
    case elsewhere
    /// The row is gone, unless a pull shows it: a proxy answers so, too.
    case saidToBeGone
    /// May have been applied.
    case doubtful

    /// The verdict on an attempt of `kind` that was answered with the status `code`, which is no success.
    package static func of(status code: Int, on kind: OperationKind) -> AnswerVerdict {
        switch (code, kind) {
        case (401, _): .credentials
        case (404, .delete), (410, .delete), (404, .update), (410, .update): .saidToBeGone
        // RFC 9110 §15.4: these ask for the same request elsewhere, so it was not applied here.
        case (301, _), (307, _), (308, _): .misconfigured
        case (300..<400, _): .elsewhere
        case (404, .create), (405, .create), (405, .update): .misconfigured
        case (407, _), (421, _), (423, _), (425, _), (429, _): .notApplied
        case (408, _), (409, _): .doubtful
        case (400..<500, _): .rejected
        // 5xx, and numbers that no standard names.
        case (_, _): .doubtful
        }
    }
}
