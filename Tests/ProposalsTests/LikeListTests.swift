import Declarations
import Foundation
import Proposals
import ReadyLists
import Testing
import Text

/// A ready declaration with an address of one's own.
@Suite struct LikeListTests {
    private static func ready(_ name: String) throws -> JSONNode {
        try JSONReader.read(try #require(ReadyList.all.first { $0.name == name }).bytes)
    }

    private static func like(
        _ name: String, _ address: String?, user: String? = nil, secretFile: String? = nil
    ) throws -> LikeList {
        try LikeList(
            ready(name), at: address.map { try ListAddress($0) }, user: user,
            secretFile: secretFile)
    }

    /// The address before every path, and each path, in the order of the file.
    private static func paths(of list: LikeList) -> [String] {
        String(decoding: list.declaration.lines, as: UTF8.self).split(separator: "\n")
            .filter { line in
                line.contains("\"baseURL\"") || line.contains("\"list\"")
                    || line.contains("\"path\"")
            }
            .compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) }
    }

    @Test func `are those of the folder, each a declaration as it is`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "examples/lists")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        #expect(ReadyList.all.map { $0.name + ".json" } == files)
        for list in ReadyList.all {
            let file = try Data(contentsOf: folder.appending(path: list.name + ".json"))
            #expect(list.bytes == Array(file), "\(list.name)")
            let same = try Self.like(list.name, nil)
            #expect(same.declaration.compact == (try Self.ready(list.name)).compact)
        }
    }

    @Test(arguments: [
        ("https://me.example", "https://me.example/api/v1", "/items/"),
        ("https://me.example/api/v1/", "https://me.example/api/v1", "/items/"),
        ("https://me.example/api/v1/todos/", "https://me.example/api/v1", "/todos/"),
        ("https://me.example/v2/items/", "https://me.example/v2", "/items/"),
        ("https://me.example/things", "https://me.example", "/things"),
        ("http://127.0.0.1:8000/items/?a=b", "http://127.0.0.1:8000", "/items/?a=b"),
    ])
    func `the address is that of the server, or of a list there`(
        address: String, base: String, list: String
    ) throws {
        let like = try Self.like("fastapi", address)
        #expect(Self.paths(of: like) == [base, "/login/access-token", list])
        #expect(like.list == list)
        #expect(like.evidence.first?.sentence == "\(base), and the list is \(list)")
    }

    @Test func `the paths of the calls follow that of the list, and its query stays`() throws {
        #expect(
            Self.paths(of: try Self.like("django-rest-framework", "https://me.example/api/tasks/"))
                == [
                    "https://me.example", "/api-token-auth/", "/api/tasks/", "/api/tasks/{id}/",
                    "/api/tasks/{id}/",
                ])
        let issues = "/repos/swiftlang/swift/issues"
        #expect(
            Self.paths(of: try Self.like("github-issues", "https://api.github.com\(issues)"))
                == [
                    "https://api.github.com", "/user", "\(issues)?state=all&per_page=100",
                    "\(issues)/{number}", "\(issues)/{number}",
                ])
        #expect(
            Self.paths(of: try Self.like("postgrest", "https://me.example/tasks?order=rank"))
                == [
                    "https://me.example", "/tasks?order=rank", "/tasks",
                    "/tasks?id=eq.{id}&version=eq.{version}",
                    "/tasks?id=eq.{id}&version=eq.{version}",
                ])
    }

    @Test func `every one is still a declaration at another address, with another path`() throws {
        let rules = ServerDescription.Rules(problem: { _ in nil }, isOwnMachine: { _ in false })
        for list in ReadyList.all {
            for address in [
                "https://me.example", "https://me.example/a/b", "https://me.example/c/?d=1",
            ] {
                let like = try Self.like(list.name, address)
                let file = try Declaration.read(
                    like.declaration.lines, name: ListName("mine"), rules: rules)
                #expect(file.server != nil, "\(list.name) \(address)")
            }
        }
    }

    @Test func `user and secret are one's own, and what is an example is told`() throws {
        let mine = try Self.like(
            "nextcloud-notes", "https://cloud.me.example", user: "ada", secretFile: "/s/cloud")
        let text = mine.declaration.compact
        #expect(text.contains(#""user":"ada","passwordFile":"/s/cloud""#), "\(text)")
        #expect(
            mine.evidence.map(\.sentence) == [
                "https://cloud.me.example/index.php/apps/notes/api/v1, and the list is /notes",
                "ada, as it was given", "/s/cloud, a file of mode 0600 with the password alone",
            ])
        #expect(
            try Self.like("nextcloud-notes", nil).evidence.map(\.sentence) == [
                "https://cloud.example.org/index.php/apps/notes/api/v1 is an example: give the "
                    + "address of your list",
                "me is an example: give --user",
                "~/.config/syncd/nextcloud, a file of mode 0600 with the password alone",
            ])
    }

    @Test func `what the server does not ask for is refused, and so is a brace`() {
        func sentence(_ make: () throws -> LikeList) -> String? {
            do {
                _ = try make()
                return nil
            } catch {
                return (error as? ListAddress.Problem)?.sentence
            }
        }
        #expect(
            sentence { try Self.like("miniflux", nil, user: "me") }
                == "this server does not ask for a user")
        #expect(
            sentence { try Self.like("vapor", nil, secretFile: "/s") }
                == "this server does not ask for a secret")
        #expect(
            sentence { try Self.like("rails", "https://me.example/a{b}") }
                == "the address of the list has a brace in it")
    }
}
