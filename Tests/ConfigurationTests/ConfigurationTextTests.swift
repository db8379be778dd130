import Configuration
import Testing

/// What `setup` does to a configuration that is there.
@Suite struct ConfigurationTextTests {
    private func changed(
        _ text: String, _ changes: [(String, SettingValue?)]
    ) throws -> String {
        var configuration = try ConfigurationText(Array(text.utf8), path: "/c.json")
        for (name, value) in changes { configuration.set(name, to: value) }
        return String(decoding: configuration.bytes, as: UTF8.self)
    }

    @Test func `a key is set in its place, and all others stay as they are`() throws {
        let before = """
            {"http": {"timeout": "10s", "allowInsecure": ["http://a", "http://b"]},
             "todos": {"email": "a@b", "concurrency": 2, "passwordFile": null},
             "log": {}, "movies": {"enabled": false}}
            """
        let after = """
            {
              "http": {
                "timeout": "10s",
                "allowInsecure": ["http://a", "http://b"]
              },
              "todos": {
                "email": "c@d",
                "concurrency": 2
              },
              "log": {},
              "movies": {
                "enabled": true
              },
              "database": "/d"
            }

            """
        #expect(
            try changed(
                before,
                [
                    ("todos.email", .text("c@d")), ("todos.passwordFile", nil),
                    ("movies.enabled", .bool(true)), ("database", .text("/d")),
                ]) == after)
    }

    @Test func `an empty one gets the sections that it needs`() {
        var text = ConfigurationText()
        #expect(text.bytes == Array("{}\n".utf8))
        text.set("movies.token", to: nil)
        #expect(text.bytes == Array("{}\n".utf8))
        text.set("movies.enabled", to: .bool(false))
        #expect(text.bytes == Array("{\n  \"movies\": {\n    \"enabled\": false\n  }\n}\n".utf8))
    }

    @Test func `the example means the same when it was read and written`() throws {
        let example = try exampleText()
        let again = try settings(try changed(example, []))
        let values = try settings(example).effectiveValues
        #expect(again.effectiveValues.map(\.value) == values.map(\.value))
    }

    @Test(arguments: ["", "[]", "{\"a\": 1,}", "{} x"])
    func `what is no object is refused with its place`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try changed(text, []) }
        #expect(error?.description.hasPrefix("/c.json:1:") == true)
    }

    @Test func `a sentence about a file that is not written cites no place`() {
        let error = refusal(file("todos.email", "\"nobody\""))
        #expect(error?.description.hasPrefix("/c.json:1:21: todos.email must be") == true)
        #expect(error?.sentence.hasPrefix("todos.email must be") == true)
    }
}
