import Configuration
import Testing
import Text

@Suite struct JSONTests {
    private func syntax(_ text: String) -> (Int, Int, String)? {
        guard case .syntax(let place, let reason)? = refusal(text) else { return nil }
        return (place.position.line, place.position.column, reason)
    }

    @Test(
        arguments: [
            ("", 1, 1, "the text ends too early"),
            ("{\"movies\": {", 1, 13, "the text ends too early"),
            ("{\"log", 1, 6, "the text ends too early"),
            ("{\"log\\", 1, 7, "the text ends too early"),
            ("{\n  \"log\": {},\n}", 3, 1, "a key in double quotes is due here"),
            ("{log: {}}", 1, 2, "a key in double quotes is due here"),
            ("{\"log\" {}}", 1, 8, "a colon is due here"),
            ("{\"log\": {} \"http\": {}}", 1, 12, "a comma or the end of the object is due here"),
            ("{} x", 1, 4, "text after the end"),
            ("{\"é\": nul}", 1, 7, "a value is due here"),
            ("{} // note", 1, 4, "JSON has no comments: remove this one"),
            ("{# note\n}", 1, 2, "JSON has no comments: remove this one"),
            ("\u{FEFF}{}", 1, 1, "a value is due here"),
            (
                "{\"http\": {\"allowInsecure\": [1 2]}}", 1, 31,
                "a comma or the end of the list is due here"
            ),
            ("{\"a\tb\": 1}", 1, 4, "a control character must be escaped in a string"),
            ("{\"\\x\": 1}", 1, 3, "this escape is not known"),
            ("{\"\\u00+1\": 1}", 1, 3, "this escape is not known"),
            ("{\"\\ud800x\": 1}", 1, 9, "this escape is not known"),
            ("{\"\\udc00\": 1}", 1, 9, "half a surrogate pair stands before this"),
        ] as [(String, Int, Int, String)])
    func `what is no JSON is refused with line and column`(
        text: String, line: Int, column: Int, reason: String
    ) {
        let found = syntax(text)
        #expect(found?.0 == line)
        #expect(found?.1 == column)
        #expect(found?.2 == reason)
    }

    @Test func `a doubled key is refused where it stands the second time`() {
        let found = syntax("{\"log\": {},\n \"http\": {}, \"log\": {}}")
        #expect(found?.0 == 2)
        #expect(found?.1 == 14)
        #expect(found?.2 == "the key \"log\" is doubled")
        #expect(
            syntax("{\"todos\": {\"email\": \"a@b\", \"\\u0065mail\": \"c@d\"}}")?.2
                == "the key \"email\" is doubled")
    }

    @Test func `nesting over 16 is refused, however deep`() {
        let deep = String(repeating: "[", count: 500_000)
        #expect(syntax(deep)?.2 == "nested too deeply")
        #expect(syntax(deep)?.1 == 17)
    }

    @Test func `bytes that are no UTF-8 are refused with their place`() {
        let bytes = Array("{\n\"é".utf8) + [0xFF] + Array("\": 1}".utf8)
        let error = #expect(throws: ConfigurationError.self) {
            try Settings(bytes, path: "/c.json", environment: home)
        }
        #expect(error?.description == "/c.json:2:3: this byte is not UTF-8")
        // A character that is cut off by the end.
        let cut = Array("{\"".utf8) + [0xC3]
        #expect(throws: ConfigurationError.self) {
            try Settings(cut, path: "/c.json", environment: home)
        }
    }

    @Test func `escapes stand for their characters`() throws {
        let text = #"{"todos": {"email": "\u0061\/\ud83d\ude00\"@x"}}"#
        #expect(try settings(text).todos.email == "a/😀\"@x")
    }

    @Test func `a hostile key is shown on one line and cut`() {
        let key = "\u{1b}]52;c;x\u{202e}" + String(repeating: "x", count: 100_000)
        let error = refusal("{\"\(key.replacing("\u{1b}", with: "\\u001b"))\": 1}")
        let text = error?.description ?? ""
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(!text.isEmpty && text.count < 500)
    }

    @Test func `no change of a few bytes of the example makes a trap`() throws {
        let example = Array(try exampleText().utf8)
        var generator = SeededGenerator(state: 20_251_121)
        var refused = 0
        for _ in 0..<3000 {
            var bytes = example
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[(place * 7) % bytes.count], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                }
            }
            do throws(ConfigurationError) {
                _ = try Settings(bytes, path: "/c.json", environment: home)
            } catch {
                refused += 1
                #expect(!error.description.contains("\n") && !error.hint.contains("\n"))
            }
        }
        #expect((1500...3000).contains(refused))
    }
}

/// SplitMix64: the same numbers on every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
