import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct MoviesProcessTests {
    private func stageWithMovies() async throws -> Stage {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        return stage
    }

    @Test func `a search finds a movie by the beginning of its title`() async throws {
        let stage = try await stageWithMovies()
        let title = try await stage.sqlite("SELECT title FROM movies ORDER BY rank LIMIT 1")
        let words = String(title.output.dropLast(2)).lowercased()
        let found = try await stage.syncd("movies", "--search", words, "--json")
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.output.contains("\"title\":\"\(title.output.dropLast())\""))
        let none = try await stage.syncd("movies", "--search", "xyzzyplugh")
        #expect(none.code == 0)
        #expect(none.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        "\"", "a* OR b", "NEAR(a b", "title:x", "-", "^a", "()", "'; DROP TABLE movie; --", "", " ",
        "\u{202e}", "a AND", "{a b}:c", "+", "\\",
    ]) func `any text can be searched for`(text: String) async throws {
        let stage = try await stageWithMovies()
        let ended = try await stage.run(.syncd, ["movies", "--search=\(text)"])
        #expect(ended.code == 0, "\(ended.errors)")
        let todos = try await stage.run(.syncd, ["todo", "list", "--search=\(text)"])
        #expect(todos.code == 0, "\(todos.errors)")
    }

    /// As long as the kernel lets one argument be, but for the option's name.
    @Test func `a hundred thousand bytes can be searched for`() async throws {
        let stage = try await stageWithMovies()
        for unit in ["x", "\"", "NEAR(", "col:x ", "-", "*", "é"] {
            let text = String(repeating: unit, count: 100_000 / unit.utf8.count)
            for command in [["movies"], ["todo", "list"]] {
                let ended = try await stage.run(.syncd, command + ["--search=\(text)", "--json"])
                #expect(ended.code == 0, "\(command) \(unit): \(ended.errors.prefix(200))")
                #expect(ended.output == "[]\n", "\(command) \(unit)")
            }
        }
    }

    @Test func `what is searched for in the todos is taken as it stands`() async throws {
        let stage = try Stage()
        let titles = ["\"", "NEAR(a b", "title:x", "-", "*", "^a", "()", "'; DROP TABLE todo; --"]
        #expect(try await stage.run(.syncd, ["todo", "add", "--"] + titles).code == 0)
        for title in titles {
            let ended = try await stage.run(
                .syncd, ["todo", "list", "--search=\(title)", "--json"])
            #expect(ended.code == 0, "\(title): \(ended.errors)")
            let found = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
            let rows = try #require(found as? [[String: Any]])
            #expect(
                rows.compactMap { $0["title"] as? String } == titles.filter { $0.contains(title) })
        }
    }

    @Test(arguments: [["movies"], ["todo", "list"]])
    func `a search that is not UTF-8 is refused`(command: [String]) async throws {
        let stage = try Stage()
        for text in [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]] as [[UInt8]] {
            let option = Array("--search=".utf8) + text + [0]
            let ended = try await stage.run(
                .syncd,
                raw: command.map { Array($0.utf8CString) } + [option.map(CChar.init(bitPattern:))])
            #expect(ended.code == 64)
            #expect(
                ended.errors
                    == "syncd: argument \(command.count + 1) is not valid UTF-8. Run `syncd help`.\n"
            )
            #expect(ended.output == "")
        }
    }

    @Test func `what became of movies is told since a day`() async throws {
        let stage = try await stageWithMovies()
        let inserted = try await stage.sqlite(
            """
            INSERT INTO row_change(at, list, row_id, title, change, old_value, new_value)
            VALUES (1000, 'movies', 1, 'old', 'appeared', NULL, '1970-02-01'),
                (1893456000000, 'movies', 2, 'new', 'changed', '2030-02-01', '2030-03-01')
            """)
        #expect(inserted.code == 0, "\(inserted.errors)")
        let all = try await stage.syncd("movies", "--changes")
        #expect(
            all.output == """
                at\tchange\ttitle\twas\tis
                1970-01-01T00:00:01.000Z\tappeared\told\t\t1970-02-01
                2030-01-01T00:00:00.000Z\tslipped\tnew\t2030-02-01\t2030-03-01

                """)
        let since = try await stage.syncd("movies", "--changes", "--since", "2030-01-01", "--json")
        #expect(
            since.output == #"[{"at":"2030-01-01T00:00:00.000Z","id":2,"title":"new","#
                + #""change":"slipped","old_release_date":"2030-02-01","#
                + #""new_release_date":"2030-03-01"}]"# + "\n")
    }

    @Test(arguments: [
        (["--since", "2026-01-01"], "--since goes with --changes"),
        (["--changes", "--search", "x"], "--search does not go with --changes"),
        (["--changes", "--since", "yesterday"], "--since takes a day"),
    ]) func `options that do not go together are refused`(
        arguments: [String], sentence: String
    ) async throws {
        let ended = try await Stage().run(.syncd, ["movies"] + arguments)
        #expect(ended.code == 64)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
    }
}
