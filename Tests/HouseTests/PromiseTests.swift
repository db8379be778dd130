import Testing

/// The page of promises is held against the tests that it names.
@Suite struct PromiseTests {
    private let repository = Repository()

    /// The number of each promise on the page, and the sentence of its test.
    private func promises() throws -> [(number: Int, sentence: String)] {
        let page = try repository.text(of: "docs/reliability.md")
        return page.split(separator: "\n").compactMap { line in
            guard let row = line.wholeMatch(of: /\| \*\*P(\d+)\*\* .*\| (?<tests>[^|]+) \|/),
                let number = Int(row.1)
            else { return nil }
            return (number, String(row.tests.split(separator: ";").first ?? ""))
        }
    }

    @Test func `every promise has one row, in order`() throws {
        #expect(try promises().map(\.number) == Array(1...37))
    }

    @Test func `every promise has the test that its row names`() throws {
        let tests = try repository.files(suffix: ".swift").filter { $0.hasPrefix("Tests/") }
        let code = try tests.map { try repository.text(of: $0) }.joined(separator: "\n")
        for promise in try promises() {
            let name = "func `P\(promise.number): \(promise.sentence)`"
            #expect(
                code.contains(name), "no test is called P\(promise.number): \(promise.sentence)")
        }
    }
}
