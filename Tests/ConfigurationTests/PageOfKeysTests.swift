import Configuration
import Foundation
import Testing

@Suite struct PageOfKeysTests {
    @Test func `the table of its page is the list of keys`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/configuration.md").standardized
        let text = try String(contentsOf: path, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let header = try #require(lines.firstIndex { $0.hasPrefix("| key |") })
        let rows = lines[(header + 2)...].prefix { $0.hasPrefix("| ") }.map(String.init)
        let expected = KnownKey.all.map { key in
            "| `\(key.name)` | `\(written(key.defaultValue))` | \(key.allowed) | \(key.meaning) |"
        }
        #expect(Array(rows) == expected)
    }

    /// As JSON, written here anew so that the two ways have to agree.
    private func written(_ value: SettingValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .list(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        }
    }
}
