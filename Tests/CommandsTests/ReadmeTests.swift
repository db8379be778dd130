import Commands
import Foundation
import Testing

@Suite struct ReadmeTests {
    private let readme: Readme

    init() throws { readme = try Readme() }

    @Test func `its table names every command, in the order of the help`() {
        let named = readme.table("command").map { $0[0] }
        #expect(named == CommandTable.standard.commands.map { "`syncd \($0.name)`" })
    }

    @Test func `its table names every option that only one command has`() {
        let text = readme.section("Commands")
        for command in CommandTable.standard.commands {
            for option in command.allOptions where !["from", "to"].contains(option.name) {
                #expect(text.contains("--\(option.name)"), "\(command.name) --\(option.name)")
            }
        }
    }

    @Test func `its table of exit statuses is the one of the help`() {
        let told = readme.table("exit status")
        #expect(told == ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    @Test func `what it says of the demo is how that ends`() throws {
        let example = /\$ \.\/scripts\/demo\n…\n(.+)\n/
        let told = try #require(readme.section("Quick start").firstMatch(of: example)).output.1
        let script = try String(
            contentsOf: Readme.top().appending(path: "scripts/demo"), encoding: .utf8)
        let last = try #require(script.split(separator: "\n").last)
        #expect(last.contains(told), "\(last)")
    }

    @Test func `the commands beside its figures can be run`() throws {
        let section = readme.section("Figures")
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: Readme.top().appending(path: "Tests").path)
        var commands = 0
        for quoted in section.matches(of: /`([^`]+)`/).map(\.output.1) {
            let words = quoted.split(whereSeparator: \.isWhitespace).map(String.init)
            if let script = words.first(where: { $0.hasPrefix("./scripts/") }) {
                let path = Readme.top().appending(path: String(script.dropFirst(2)))
                let text = try String(contentsOf: path, encoding: .utf8)
                for option in words where option.hasPrefix("--") {
                    #expect(text.contains(option), "\(script) has no \(option)")
                }
                commands += 1
            } else if let filter = words.firstIndex(of: "--filter") {
                let suite = words[filter + 1]
                #expect(files.contains { $0.hasSuffix("/\(suite).swift") }, "\(suite)")
                commands += 1
            }
        }
        #expect(commands >= 2)
    }
}
