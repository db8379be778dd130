import Foundation
import HostileHTTP
import Testing

/// The client as another program's author meets it: by path, from a directory of its own.
@Suite("A package outside the repository", .timeLimit(.minutes(10)))
struct EmbeddingTests {
    /// Builds everything that it uses anew, which takes half a minute on two cores; no network.
    @Test func `a small package imports the client and the doubles and passes its own test`()
        async throws
    {
        let package = try SmallPackage()
        defer { package.remove() }
        let status = try await package.test()
        let output = try package.output()
        #expect(status == 0, "\(output.suffix(4000))")
        #expect(output.contains("Test run with 3 tests in 1 suite passed"))
        let recording = "✔ Test \"the titles are sorted, from a recording\" passed"
        #expect(output.contains(recording))
    }
}
