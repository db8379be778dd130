import APIClient
import Configuration
import Foundation
import Host
import Testing
import Text

@Suite struct SettingsTests {
    @Test func `the example holds every key at its default, in order, and has a cache of its own`()
        throws
    {
        let example = try settings(try exampleText())
        let empty = try settings(#"{"movies": {}, "todos": {}}"#)
        #expect(example.effectiveValues.map(\.key) == KnownKey.all.map(\.name))
        #expect(
            example.effectiveValues.dropFirst().map(\.value)
                == empty.effectiveValues.dropFirst().map(\.value))
        // The first real account finds the usual place free.
        #expect(example.database == "/home/somebody/.local/state/syncd/demo.sqlite")
        #expect(example.database != empty.database)
        #expect(
            example.effectiveValues.allSatisfy { value in
                if case .file("/c.json", _) = value.source { true } else { false }
            })
        #expect(example.movies == empty.movies)
        #expect(example.todos == empty.todos)
        #expect(example.http == empty.http)
        #expect(example.log == empty.log)
    }

    @Test func `the example holds every known key and no other`() throws {
        // An independent reader: the text of the file against the list.
        let data = Data(try exampleText().utf8)
        let root = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var names: Set<String> = []
        for (name, value) in root {
            guard let section = value as? [String: Any] else {
                names.insert(name)
                continue
            }
            names.formUnion(section.keys.map { "\(name).\($0)" })
        }
        #expect(names == Set(KnownKey.all.map(\.name)))
        #expect(KnownKey.all.count == 26)
    }

    @Test(
        arguments: [
            ("{}", false, false), (#"{"servers": {}}"#, false, false),
            (#"{"movies": {}}"#, true, false), (#"{"todos": {"interval": "5m"}}"#, false, true),
            (#"{"movies": {"enabled": false}, "todos": {"enabled": true}}"#, false, true),
        ])
    func `a list is kept only where its section is there`(
        text: String, movies: Bool, todos: Bool
    ) throws {
        let settings = try settings(text)
        #expect(settings.movies.isEnabled == movies)
        #expect(settings.todos.isEnabled == todos)
        #expect(settings.keptLists.count == (movies ? 1 : 0) + (todos ? 1 : 0))
        let told = settings.effectiveValues.filter { $0.key.hasSuffix(".enabled") }
        #expect(told.map(\.value) == [.bool(movies), .bool(todos)])
    }

    @Test func `the defaults are the demo's`() throws {
        let settings = try settings(#"{"movies": {}, "todos": {}}"#)
        #expect(settings.file == "/c.json")
        #expect(settings.stateDirectory == "/home/somebody/.local/state/syncd")
        #expect(settings.database == "/home/somebody/.local/state/syncd/cache.sqlite")
        #expect(settings.movies.isEnabled && settings.todos.isEnabled)
        #expect(settings.movies.baseURL.description == "http://127.0.0.1:8080/3")
        #expect(settings.movies.language == "en-US")
        #expect(settings.movies.region == nil)
        #expect(settings.movies.interval == .seconds(21_600))
        guard case .bearer(let token)? = settings.movies.credential else {
            Issue.record("no token")
            return
        }
        #expect(token.place == .inline(Secret("demo")))
        #expect(settings.todos.baseURL.description == "http://127.0.0.1:8080")
        #expect(settings.todos.email == "demo@example.com")
        #expect(settings.todos.password?.place == .inline(Secret("demo")))
        #expect(settings.todos.interval == .seconds(60))
        #expect(settings.todos.idempotency == .none)
        #expect(settings.todos.concurrency == 4)
        #expect(settings.http.connectTimeout == .seconds(10))
        #expect(settings.http.timeout == .seconds(60))
        #expect(settings.http.maxBodyBytes == 64 << 20)
        #expect(settings.http.proxy == nil && settings.http.caFile == nil)
        #expect(settings.http.allowInsecure.isEmpty)
        #expect(settings.log.level == .info && settings.log.format == .auto)
    }

    @Test(
        arguments: [
            ("movies.enabled", ["true", "false"], ["null", "1", "\"true\"", "[]", "{}"]),
            (
                "movies.interval", ["\"1s\"", "\"7d\"", "\"168h\"", "\"1000ms\"", "\"1h30m\""],
                [
                    "\"0s\"", "\"999ms\"", "\"8d\"", "\"604801s\"", "\"-1s\"", "60", "\"60\"",
                    "\"1.5h\"",
                    "\"nan\"", "\"30m1h\"", "\" 1h\"", "\"1 h\"", "\"1H\"", "null", "1e309",
                    "\"99999999999999999999d\"", "\"١s\"", "\"\"", "\"s\"",
                ]
            ),
            ("todos.interval", ["\"1s\"", "\"7d\""], ["\"999ms\"", "\"8d\"", "0"]),
            (
                "todos.concurrency", ["1", "16"],
                ["0", "17", "-1", "1.5", "1e0", "01", "-0", "\"4\"", "1000000000000", "4x"]
            ),
            ("todos.idempotency", ["\"none\"", "\"key\""], ["\"Key\"", "true", "null"]),
            ("http.connectTimeout", ["\"100ms\"", "\"10m\""], ["\"99ms\"", "\"601s\""]),
            ("http.timeout", ["\"100ms\"", "\"1h\""], ["\"99ms\"", "\"61m\""]),
            ("http.maxBodyBytes", ["1024", "1073741824"], ["1023", "1073741825", "\"1M\""]),
            (
                "http.proxy", ["null", "\"http://proxy:3128\""],
                ["\"proxy:3128\"", "\"http://proxy/path\"", "3128"]
            ),
            (
                "http.caFile", ["null", "\"/etc/ssl/ca.pem\""],
                ["\"ca.pem\"", "\"\"", "\"/a\\u0000b\""]
            ),
            (
                "http.allowInsecure", ["[]", "[\"http://box:8080/3\"]"],
                ["null", "\"http://box\"", "[1]", "[\"https://box\"]", "[\"box\"]"]
            ),
            (
                "movies.language", ["null", "\"en-US\"", "\"de\"", "\"zh-Hant-TW\""],
                ["\"\"", "\"e\"", "\"en_US\"", "\"en-\"", "\"en&x=y\"", "\"dé\""]
            ),
            ("movies.region", ["null", "\"US\""], ["\"us\"", "\"USA\"", "\"U1\"", "\"\""]),
            ("log.level", ["\"debug\"", "\"error\""], ["\"trace\"", "\"Info\"", "null"]),
            ("log.format", ["\"auto\"", "\"text\"", "\"json\""], ["\"journal\"", "\"xml\""]),
            (
                "todos.email", ["\"a@b\"", "\"é@example.com\""],
                [
                    "\"\"", "\"ab\"", "\"nobody\"", "\"a b@c\"", "\"a:b@c\"", "\"a@b\\r\\nX: y\"",
                    "null",
                ]
            ),
            (
                "database", ["null", "\"/var/lib/x/cache.sqlite\"", "\"/no/such/%3f?vfs=none\""],
                [
                    "\"\"", "\"cache.sqlite\"", "\":memory:\"", "\"file:/x?mode=memory\"",
                    "\"file:///x?vfs=unix-none\"", "\"/a\\u0000b\"", "\"/var/lib/\"", "7",
                ]
            ),
            (
                "lists", ["null", "\"/etc/syncd/one\"", "\"~/lists/\""],
                ["\"\"", "\"lists\"", "7"]
            ),
        ] as [(String, [String], [String])])
    func `a key takes its range, ends included, and nothing else`(
        key: String, good: [String], bad: [String]
    ) throws {
        for value in good { _ = try settings(file(key, value)) }
        for value in bad {
            let error = refusal(file(key, value))
            guard case .badValue(let place, key, let shown, _)? = error else {
                Issue.record("\(value): \(error.map { $0.description } ?? "taken")")
                continue
            }
            #expect(place.file == "/c.json" && place.position.line == 1)
            #expect(shown != nil || key == "http.proxy" || key == "http.allowInsecure")
        }
    }

    @Test func `a bad value names place, key, value and range`() {
        let error = refusal("{\n  \"todos\": {\n    \"concurrency\": 17\n  }\n}")
        #expect(error?.description == "/c.json:3:20: todos.concurrency must be 1 to 16, not 17")
        #expect(error?.hint == "Write 1 to 16.")
    }

    @Test(arguments: [
        ("movies.intervall", "movies.interval"), ("movie", "movies"), ("database_path", "database"),
        ("todos.pasword", "todos.password"), ("todos.PASSWORDFILE", "todos.passwordFile"),
        ("http.allow_insecure", "http.allowInsecure"), ("logs", "log"),
    ])
    func `an unknown key is refused and the nearest known one named`(name: String, nearest: String)
    {
        let error = refusal(file(name, "null"))
        guard case .unknownKey(_, name, nearest)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.hasSuffix("is not known; the nearest is \"\(nearest)\"") == true)
    }

    @Test func `an editor can be told where the grammar is, at the top alone`() throws {
        _ = try settings("{\"$schema\": \"https://example.org/config.json\"}")
        #expect(refusal("{\"http\": {\"$schema\": \"x\"}}") != nil)
    }

    @Test func `a key with a dot is told to be nested`() {
        let error = refusal("{\"movies.interval\": \"1h\"}")
        #expect(error?.description == "/c.json:1:2: the key \"movies.interval\" is not known")
        #expect(error?.hint == "Write it nested: {\"movies\": {\"interval\": …}}.")
    }

    @Test(arguments: ["[]", "null", "7", "\"x\"", "{\"movies\": []}", "{\"http\": null}"])
    func `the file and its sections are objects`(text: String) {
        guard case .badValue(_, _, _, "an object")? = refusal(text) else {
            Issue.record("taken: \(text)")
            return
        }
    }

    @Test(arguments: [
        "http://", "ftp://box", "http://user:hunter2@127.0.0.1", "http://127.0.0.1/?q=hunter2",
        "http://127.0.0.1/#hunter2", "http://127.0.0.1:0", "http://127.0.0.1:65536", "//127.0.0.1",
        "http://exämple.com", "", "http://127.0.0.1 /",
    ])
    func `a bad base URL is refused without being shown`(url: String) {
        let error = refusal(file("todos.baseURL", "\"\(url)\""))
        guard case .badValue(_, "todos.baseURL", nil, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func `a base URL is kept in its canonical form`() throws {
        let text = file("movies.baseURL", "\"HTTPS://API.Example.com:443/3/\"")
        #expect(try settings(text).movies.baseURL.description == "https://api.example.com/3")
        let literal = file("movies.baseURL", "\"http://[::1]:80/\"")
        #expect(try settings(literal).movies.baseURL.description == "http://[::1]")
    }

    @Test func `P30: plain http to another machine is refused unless allowed for that base URL`()
        throws
    {
        for key in ["movies.baseURL", "todos.baseURL"] {
            let error = refusal(file(key, "\"http://box.lan:81/x/\""))
            guard case .insecure(_, key, "http://box.lan:81/x")? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.hint.contains("\"http://box.lan:81/x\" to http.allowInsecure") == true)
        }
        let movies = #""movies": {"baseURL": "http://box.lan:81/x"}"#
        _ = try settings(#"{\#(movies), "http": {"allowInsecure": ["http://BOX.lan:81/x/"]}}"#)
        let other = #"{\#(movies), "http": {"allowInsecure": ["http://box.lan:81"]}}"#
        #expect(refusal(other) != nil)
    }

    @Test func `another todos server needs the name of an account`() throws {
        let url = "\"baseURL\": \"https://todos.example.com\""
        let expected = ConfigurationError.missing(
            name: "todos.email", because: "though todos.baseURL is")
        #expect(refusal("{\"todos\": {\(url)}}") == expected)
        _ = try settings("{\"todos\": {\(url), \"enabled\": false}}")
        let named = try settings("{\"todos\": {\(url), \"email\": \"a@b.c\"}}")
        #expect(named.todos.email == "a@b.c")
        #expect(named.todos.password == nil)
    }
}
