import Foundation
import Testing

@Suite("The guide")
struct GuideTests {
    /// Tests/ClientConformanceTests/GuideTests.swift is three steps below the top.
    private let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func lines(of path: String) throws -> [String] {
        try String(contentsOf: top.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The texts between the markers of the file of examples, without their common indent.
    private func examples() throws -> [String] {
        var examples: [String] = []
        var open: [String]?
        for line in try lines(of: "Tests/ClientConformanceTests/GuideExamples.swift") {
            let word = line.drop { $0 == " " }
            if word == "// guide: end" {
                let body = try #require(open)
                let indent = body.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
                examples.append(body.map { $0.dropFirst(indent ?? 0) }.joined(separator: "\n"))
                open = nil
            } else if word.hasPrefix("// guide: ") {
                #expect(open == nil)
                open = []
            } else {
                open?.append(line)
            }
        }
        #expect(open == nil)
        return examples
    }

    /// The blocks of Swift in the guides.
    private func blocks() throws -> [String] {
        var blocks: [String] = []
        let folder = "Sources/APIClient/APIClient.docc"
        let files = try FileManager.default.contentsOfDirectory(
            atPath: top.appending(path: folder).path)
        for file in files.sorted() where file.hasSuffix(".md") {
            var open: [String]?
            for line in try lines(of: "\(folder)/\(file)") {
                if line == "```swift" {
                    open = []
                } else if line == "```", let block = open {
                    blocks.append(block.joined(separator: "\n"))
                    open = nil
                } else {
                    open?.append(line)
                }
            }
        }
        return blocks
    }

    /// What compiles and runs is what is printed, and all of it is printed.
    @Test func `every example of the guide is one that runs, word for word`() throws {
        let (examples, blocks) = (Set(try examples()), try blocks())
        #expect(examples.count >= 10)
        for block in blocks { #expect(examples.contains(block), "no test runs this:\n\(block)") }
        for example in examples.subtracting(blocks) {
            Issue.record("no guide shows this:\n\(example)")
        }
    }
}
