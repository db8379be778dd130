import Configuration
import Declarations
import Foundation
import Testing
import Text

/// The JSON Schemas that editors complete and check by.
@Suite struct SchemaTests {
    private static let list = SchemaJudge(root: DeclarationSchema.document)
    private static let configuration = SchemaJudge(root: ConfigurationSchema.document)

    private static func read(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: path).standardized, encoding: .utf8)
    }

    /// The declarations that people are shown: ready ones, and those of the documents.
    private static func declarations() throws -> [(name: String, text: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        var found: [(String, String)] = []
        for folder in ["examples/lists", "examples/lists/below"] {
            let place = root.appending(path: folder).standardized.path
            for file in try FileManager.default.contentsOfDirectory(atPath: place).sorted()
            where file.hasSuffix(".json") {
                found.append((file, try read("\(folder)/\(file)")))
            }
        }
        for page in ["docs/lists.md", "docs/orms.md"] {
            let blocks = try read(page).components(separatedBy: "```json\n").dropFirst()
            for block in blocks {
                let text = block.components(separatedBy: "\n```")[0]
                if text.hasPrefix("{"), text.contains("\"columns\"") { found.append((page, text)) }
            }
        }
        return found
    }

    /// What the reader says of it.
    private static func sentences(_ text: String) -> [String] {
        do throws(DeclarationError) {
            _ = try Declaration.read(
                Array(text.utf8), name: .movies,
                rules: .init(problem: { _ in nil }, isOwnMachine: { _ in true }))
            return []
        } catch {
            return error.problems.map(\.sentence)
        }
    }

    @Test func `each object of a declaration has the keys that the reader takes`() {
        let declared = [
            Grammar.declaration + ["$schema"], Grammar.list, Grammar.since, Grammar.column,
            Grammar.call, Grammar.read, Grammar.server, Grammar.whoami,
        ]
        let several =
            Grammar.paging + Grammar.once + Grammar.authentication.map { ["kind"] + $0.keys }
        #expect(Self.list.closedObjects == Set((declared + several).map { Set($0) }))
        #expect(Self.list.unknownWords == [])
        #expect(Self.configuration.unknownWords == [])
    }

    @Test func `what people are shown is taken`() throws {
        let found = try Self.declarations()
        #expect(found.count > 20)
        for (name, text) in found where Self.sentences(text).isEmpty {
            #expect(try Self.list.takes(text), "\(name): \(text)")
        }
    }

    @Test func `a key that the reader does not know is refused wherever it stands`() throws {
        var refused = 0
        for (name, text) in try Self.declarations() {
            for node in try JSONReader.read(Array(text.utf8)).misspelt {
                let whole = String(decoding: node.lines, as: UTF8.self)
                let isUnknown = Self.sentences(whole).contains {
                    $0.contains("zz\" is not known")
                }
                guard isUnknown else { continue }
                refused += 1
                #expect(!Self.list.takes(node), "\(name): \(whole)")
            }
        }
        #expect(refused > 60)
    }

    @Test(arguments: [
        (#""pages": {"page": "p"}"#, true), (#""pages": {"page": "p", "offset": "o"}"#, false),
        (#""pages": null"#, true), (#""interval": "5 minutes""#, false),
        (#""interval": "1h30m""#, true), (#""conflict": "ours""#, false),
        (#""conflict": null"#, true), (#""update": [{"when": {"a": 1}}, true]"#, true),
        (#""update": [1]"#, false), (#""create": {"method": "GET"}"#, false),
        (#""each": {"issue": "issues", "most": 5}"#, true),
        (#""while": {}"#, false), (#""rows": "data""#, false),
    ])
    func `values are judged`(more: String, isTaken: Bool) throws {
        let text =
            #"{"server": "s", "list": "/l", "id": "$.id", "columns": {"a": "text $.a"}, \#(more)}"#
        #expect(try Self.list.takes(text) == isTaken)
    }

    @Test func `the configuration has every key, and its example is taken`() throws {
        let schema = ConfigurationSchema.document
        for key in KnownKey.all {
            let names = key.name.split(separator: ".").map(String.init)
            let section =
                names.count == 1 ? schema : try #require(schema["properties"]?[names[0]])
            #expect(section["properties"]?[names[names.count - 1]] != nil, "\(key.name)")
        }
        #expect(try Self.configuration.takes(try Self.read("config.example.json")))
        #expect(try Self.configuration.takes("{}"))
        #expect(try !Self.configuration.takes(#"{"log": {"level": "loud"}}"#))
        #expect(try !Self.configuration.takes(#"{"logs": {}}"#))
        let server = #"{"servers": {"a": {"baseURL": "https://a.example", "auth": AUTH}}}"#
        for (auth, isTaken) in [
            (#"{"kind": "bearer", "tokenFile": "/f"}"#, true),
            (#"{"kind": "bearer", "user": "me"}"#, false), (#"{"kind": "magic"}"#, false),
            (#"{"kind": "refresh", "path": "https://b.example/token"}"#, true),
        ] {
            #expect(
                try Self.configuration.takes(server.replacing("AUTH", with: auth)) == isTaken,
                "\(auth)")
        }
    }
}
