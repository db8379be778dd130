import Configuration
import Foundation
import Testing

let home = ["HOME": "/home/somebody"]

/// The settings that a file with this text gives; `at` of errors is `/c.json`.
func settings(
    _ text: String, environment: [String: String] = home
) throws(ConfigurationError) -> Settings {
    try Settings(Array(text.utf8), path: "/c.json", environment: environment)
}

/// The error that a file with this text gives.
func refusal(
    _ text: String, environment: [String: String] = home,
    sourceLocation: SourceLocation = #_sourceLocation
) -> ConfigurationError? {
    #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
        try settings(text, environment: environment)
    }
}

/// One key as a file: `("todos.interval", "\"1m\"")` is `{"todos": {"interval": "1m"}}`.
func file(_ key: String, _ value: String) -> String {
    let parts = key.split(separator: ".")
    return parts.count == 1
        ? "{\"\(key)\": \(value)}" : "{\"\(parts[0])\": {\"\(parts[1])\": \(value)}}"
}

/// The package's own example.
func exampleText() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "config.example.json"), encoding: .utf8)
}
