/// Where a token that renews others is kept between runs.
public protocol RenewalStore: Sendable {
    /// What was saved last; nil where there is nothing.
    func load() async throws(TokenStoreError) -> StoredRenewal?
    /// Replaces what was there, wholly or not at all.
    func save(_ renewal: StoredRenewal) async throws(TokenStoreError)
}
