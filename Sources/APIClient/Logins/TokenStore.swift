/// Where a token is kept between runs: a private file, a key ring, memory in a test.
public protocol TokenStore: Sendable {
    /// What was saved last, of whichever account; `nil` where there is nothing.
    func load() async throws(TokenStoreError) -> StoredToken?
    /// Replaces what was there, wholly or not at all.
    func save(_ token: StoredToken) async throws(TokenStoreError)
    /// Forgets what was saved; that there is nothing is no error.
    func discard() async throws(TokenStoreError)
}
