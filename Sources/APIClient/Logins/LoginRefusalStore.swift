/// Where the last refusal of a login is kept between runs. Whatever fails there costs one login, no more.
public protocol LoginRefusalStore: Sendable {
    /// What was saved last; nil where there is nothing.
    func load() -> LoginRefusal?
    /// Replaces what was there.
    func save(_ refusal: LoginRefusal)
    /// Forgets what was saved.
    func discard()
}
