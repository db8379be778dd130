import Foundation
import HostileHTTP

/// A package in a temporary directory that depends on this repository by path.
struct SmallPackage {
    private let directory: URL

    init() throws {
        // Tests/EmbeddingTests/SmallPackage.swift is three steps below the top.
        let repository = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        directory = FileManager.default.temporaryDirectory
            .appending(path: "shopping-\(UUID().uuidString)")
        let files = [
            "Package.swift": Self.manifest(repository.path),
            "Sources/Shopping/ShoppingList.swift": Self.source,
            "Tests/ShoppingTests/ShoppingListTests.swift": Self.tests,
            "Recordings/todos.json": Self.list,
        ]
        for (name, text) in files {
            let file = directory.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    func remove() {
        // Left over, it harms nobody.
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs the package's tests; 0 is success.
    func test() async throws -> CInt {
        let command =
            "cd '\(directory.path)' && exec env -u SYNCD_STRICT swift test "
            + "--disable-sandbox --skip-update --scratch-path build >output.txt 2>&1"
        return try await Child(["/bin/sh", "-c", command], seconds: 570).ended()
    }

    /// What that printed.
    func output() throws -> String {
        String(
            decoding: try Data(contentsOf: directory.appending(path: "output.txt")), as: UTF8.self)
    }

    private static func manifest(_ repository: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Shopping",
            dependencies: [.package(name: "syncd", path: "\(repository)")],
            targets: [
                .target(
                    name: "Shopping",
                    dependencies: [.product(name: "APIClient", package: "syncd")]),
                .testTarget(
                    name: "ShoppingTests",
                    dependencies: [
                        "Shopping",
                        .product(name: "APIClientTesting", package: "syncd"),
                        .product(name: "URLSessionHTTP", package: "syncd"),
                        .product(name: "URLSessionTesting", package: "syncd"),
                    ]),
            ])
        """
    }

    private static let source = """
        public import APIClient

        public struct ShoppingList: Sendable {
            let client: TodosClient

            public init(over transport: any Transport) {
                client = TodosClient(transport: transport)
            }

            public func titles(token: String) async throws(APIError) -> [String] {
                try await client.todos(token: token).map(\\.title).sorted()
            }
        }
        """

    private static let list = #"[{"id":2,"title":"milk"},{"id":"a","title":"bread"}]"#

    private static let tests = ##"""
        import APIClient
        import APIClientTesting
        import Foundation
        import Shopping
        import Testing
        import URLSessionHTTP
        import URLSessionTesting

        @Suite struct ShoppingListTests {
            let list = #"[{"id":2,"title":"milk"},{"id":"a","title":"bread"}]"#

            @Test func `the titles are sorted, over a mock`() async throws {
                let mock = MockTransport { Issue.record("\($0)") }
                mock.on(.get, "/todos", .json(list))
                #expect(try await ShoppingList(over: mock).titles(token: "t") == ["bread", "milk"])
            }

            @Test func `the titles are sorted, over URLSession`() async throws {
                let mock = MockTransport { Issue.record("\($0)") }
                mock.on(.get, "/todos", .json(list))
                let session = MockNetwork(answering: mock).makeSession()
                let shopping = ShoppingList(over: URLSessionTransport(session: session))
                #expect(try await shopping.titles(token: "t") == ["bread", "milk"])
            }

            @Test func `the titles are sorted, from a recording`() async throws {
                let folder = FileManager.default.currentDirectoryPath + "/Recordings"
                let recorded = RecordedTransport(directory: folder) { Issue.record("\($0)") }
                #expect(
                    try await ShoppingList(over: recorded).titles(token: "t") == ["bread", "milk"])
            }
        }
        """##
}
