/// The login of one account, which does not try a secret again that the server has just refused.
///
/// A refusal counts for all lists of the server, and for every process that shares the store. The next try comes
/// when the secret has changed, else after a pause that grows to hours. Until then the refusal is told again, and
/// nothing is sent.
public struct GuardedLogin: Sendable {
    private let refusals: any LoginRefusalStore
    private let now: @Sendable () -> (boot: String, milliseconds: Int64)

    /// Refusals are kept in `refusals`; `now` is a clock that nobody sets, and the boot that it counts from.
    public init(
        refusals: any LoginRefusalStore,
        now: @escaping @Sendable () -> (boot: String, milliseconds: Int64)
    ) {
        self.refusals = refusals
        self.now = now
    }

    /// The token of `login` with `secret`.
    ///
    /// - Throws: what `login` throws; the last refusal where the secret is not to be tried yet.
    public func token(
        with secret: String, _ login: () async throws(APIError) -> String
    ) async throws(APIError) -> String {
        let mark = ListCredential.mark(of: ":" + secret)
        let last = refusals.load().flatMap { $0.mark == mark ? $0 : nil }
        if let last, isPaused(last) { throw .status(last.failure) }
        let token: String
        do {
            token = try await login()
        } catch {
            if case .status(let failure) = error, failure.refusesCredentials {
                note(failure, of: mark, after: last)
            }
            throw error
        }
        refusals.discard()
        return token
    }

    /// What was refused in another boot was refused when this one began, at the latest.
    private func isPaused(_ last: LoginRefusal) -> Bool {
        let now = now()
        let since = last.boot == now.boot ? last.milliseconds : 0
        return now.milliseconds - since < last.pause
    }

    private func note(_ failure: StatusFailure, of mark: String, after last: LoginRefusal?) {
        let now = now()
        refusals.save(
            LoginRefusal(
                mark: mark, failures: (last?.failures ?? 0) + 1, boot: now.boot,
                milliseconds: now.milliseconds, code: failure.code, reason: failure.reason,
                endpoint: failure.endpoint))
    }
}
