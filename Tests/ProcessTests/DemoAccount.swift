import Foundation

/// What the demo server lets in: `demo` and `demo`, or what stands in the private file that
/// SYNCD_TEST_SECRETS names. So scripts/canary-test can look for it everywhere afterwards.
struct DemoAccount: Decodable, Sendable {
    let password: String
    /// Of the movies.
    let token: String

    static let email = "demo@example.com"
    static let secretsFile = ProcessInfo.processInfo.environment["SYNCD_TEST_SECRETS"]
    /// Where stages are made and left behind; nil: they are removed with their test.
    static let kept = ProcessInfo.processInfo.environment["SYNCD_TEST_KEEP"]

    /// What `demo-api` has to be told.
    static let arguments = secretsFile.map { ["--secrets", $0] } ?? []

    static func read() throws -> DemoAccount {
        guard let secretsFile else { return DemoAccount(password: "demo", token: "demo") }
        return try JSONDecoder().decode(
            DemoAccount.self, from: Data(contentsOf: URL(fileURLWithPath: secretsFile)))
    }
}
