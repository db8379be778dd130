import Declarations

extension ServerDescription.Rules {
    /// Every address with a scheme can be used.
    static let lenient = Self(
        problem: { address in
            address.hasPrefix("http") ? nil : ("is no address", "Write an address.")
        }, isOwnMachine: { $0.contains("127.0.0.1") })
}
