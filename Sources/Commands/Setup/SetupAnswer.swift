internal import APIClient
internal import Configuration

/// What was answered to a question of `setup`, and whether a server has seen it.
struct SetupAnswer<Value: Sendable>: Sendable {
    let value: Value
    /// False where the server could not be asked, or should not be.
    let wasTried: Bool
}

/// A server that an answer names.
struct SetupServer: Sendable {
    /// As it was written, and is written on.
    let address: String
    let url: BaseURL
    /// The configuration as it would be with it; how requests are made stands there, too.
    let text: ConfigurationText
    let settings: Settings
    /// Whether the configuration that is there names it already.
    let isPresent: Bool
}

/// A secret that an answer gives.
enum SetupSecret: Sendable, Hashable {
    /// The configuration that is there knows where it is, and that stays so.
    case kept(String)
    /// It goes to a file of its own.
    case new(String)

    var text: String {
        switch self {
        case .kept(let text), .new(let text): text
        }
    }
}
