import CommandLine
import Commands
import Foundation
import Testing

@Suite struct ReadmeTests {
    private let readme: Document
    private let pages: Document

    init() throws {
        readme = try Document("README.md")
        pages = try Document("docs/commands.md")
    }

    @Test func `it can be read in six minutes`() {
        #expect(readme.text.split(whereSeparator: \.isWhitespace).count <= 1300)
    }

    @Test func `its table names every command`() {
        let named = readme.table("command").flatMap { row -> [String] in
            let quoted = row[0].matches(of: /`([^`]+)`/).map { String($0.output.1) }
            // ‘syncd todo list’, ‘add’: the second one takes the words before the last.
            let words = quoted.first?.split(separator: " ").dropLast() ?? []
            return quoted.enumerated().map { place, text in
                place == 0 ? text : (words + [Substring(text)]).joined(separator: " ")
            }
        }
        let names = CommandTable.standard.commands.map { "syncd \($0.name)" }
        #expect(named.sorted() == names.sorted())
    }

    @Test func `the page of commands names every command, in the order of the help`() {
        let named = pages.table("command").map { $0[0] }
        #expect(named == CommandTable.standard.commands.map { "`syncd \($0.name)`" })
    }

    @Test func `the page of commands names every option that only one command has`() {
        for command in CommandTable.standard.commands {
            for option in command.allOptions where !["from", "to"].contains(option.name) {
                #expect(pages.text.contains("--\(option.name)"), "\(command.name) --\(option.name)")
            }
        }
    }

    @Test func `its table of exit statuses is the one of the help`() {
        let told = pages.table("exit status")
        #expect(told == ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    @Test func `what it says of the demo is how that ends`() throws {
        let example = /\$ \.\/scripts\/demo\n…\n(.+)\n/
        let told = try #require(readme.section("Quick start").firstMatch(of: example)).output.1
        let script = try String(
            contentsOf: Document.top().appending(path: "scripts/demo"), encoding: .utf8)
        let last = try #require(script.split(separator: "\n").last)
        #expect(last.contains(told), "\(last)")
    }

    @Test func `the recording of the demo is of the steps that it has`() throws {
        let top = Document.top()
        let recording = try String(
            contentsOf: top.appending(path: "docs/demo.svg"), encoding: .utf8)
        let script = try String(contentsOf: top.appending(path: "scripts/demo"), encoding: .utf8)
        let steps = recording.matches(of: />\d\. ([^<]+)</).map { String($0.output.1) }
        #expect(steps.count >= 5)
        for step in steps { #expect(script.contains("\nstep '\(step)'\n"), "\(step)") }
    }

    @Test func `the commands beside its figures can be run`() throws {
        var commands = 0
        for quoted in readme.section("Figures").matches(of: /`(\.\/[^`]+)`/).map(\.output.1) {
            let words = quoted.split(whereSeparator: \.isWhitespace).map(String.init)
            let path = Document.top().appending(path: String(words[0].dropFirst(2)))
            let text = try String(contentsOf: path, encoding: .utf8)
            for option in words where option.hasPrefix("--") {
                #expect(text.contains(option), "\(words[0]) has no \(option)")
            }
            commands += 1
        }
        #expect(commands >= 4)
    }
}
