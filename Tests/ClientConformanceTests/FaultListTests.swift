import Foundation
import Testing

/// The hostile server's list: each number of the fault catalogue with the tests that bear it in their
/// names, or with the reason why there is none.
@Suite("The list of faults")
struct FaultListTests {
    /// The tests of each number, out of the names of the tests over sockets.
    private static func coverage() throws -> [String: [String]] {
        // Tests/ClientConformanceTests/FaultListTests.swift is two steps below Tests.
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var found: [String: [String]] = [:]
        for room in ["CurlHTTPTests", "ClientConformanceTests"] {
            let folder = tests.appending(path: room)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            where file.hasSuffix("Tests.swift") && file != "URLSessionTrapTests.swift" {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                for match in text.matches(of: /func `((?:[NHBAX]\d+(?:, )?)+): ([^`]+)`/) {
                    for number in match.output.1.split(separator: ", ") {
                        found[String(number), default: []].append(
                            "\(room): \(match.output.2)")
                    }
                }
            }
        }
        return found
    }

    @Test(arguments: Fault.all)
    func `a fault has a test that bears its number, or a reason`(fault: Fault) throws {
        let tests = try Self.coverage()[fault.number] ?? []
        if let reason = fault.reason {
            #expect(tests.isEmpty, "\(fault.number) has tests now: drop its reason")
            #expect(reason.contains(" "))
        } else {
            #expect(!tests.isEmpty, "\(fault.number) has neither a test nor a reason")
        }
    }

    @Test func `the numbers are whole, and every number that a test bears is listed`() throws {
        let numbers = Fault.all.map(\.number)
        let whole = ["N": 26, "H": 28, "B": 20, "A": 14].flatMap { letter, count in
            (1...count).map { "\(letter)\($0)" }
        }
        #expect(Set(whole).isSubset(of: numbers))
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(try Self.coverage().keys).isSubset(of: numbers))
    }

    /// For the reader of the output.
    @Test func `the list is printed`() throws {
        let coverage = try Self.coverage()
        let lines = Fault.all.flatMap { fault -> [String] in
            let tests = coverage[fault.number] ?? []
            return ["\(fault.number)\t\(fault.what)"]
                + tests.map { "\t+ \($0)" } + (fault.reason.map { ["\t- \($0)"] } ?? [])
        }
        #expect(lines.count >= 2 * Fault.all.count)
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
