import APIClient
import Testing

@Suite struct BodyCheckEscapeTests {
    private func checked(_ text: String) throws -> String {
        var body = Array(text.utf8)
        try BodyCheck.run(&body, maxDepth: 64)
        return String(decoding: body, as: UTF8.self)
    }

    @Test(arguments: [
        (#""\u0000""#, #""\uFFFd""#),
        (#""a\u0000b\u0000""#, #""a\uFFFdb\uFFFd""#),
        (#""\ud800""#, #""\uFFFd""#),
        (#""\uDBFF""#, #""\uFFFd""#),
        (#""\udc00""#, #""\uFFFd""#),
        (#""\uDFFF""#, #""\uFFFd""#),
        (#""\ud83d\ude00""#, #""\ud83d\ude00""#),
        (#""\uD83D\uDE00""#, #""\uD83D\uDE00""#),
        (#""\ud83d\ud83d\ude00""#, #""\uFFFd\ud83d\ude00""#),
        (#""\ude00\ud83d""#, #""\uFFFd\uFFFd""#),
        (#""\ud83d\\ude00""#, #""\uFFFd\\ude00""#),
        (#""\ud83d \ude00""#, #""\uFFFd \uFFFd""#),
        (#""\ud83d\n\ude00""#, #""\uFFFd\n\uFFFd""#),
        (#""\ud83d\u0041""#, #""\uFFFd\u0041""#),
        (#""\ud83d\u0000""#, #""\uFFFd\uFFFd""#),
        (#""\\u0000""#, #""\\u0000""#),
        (#""\\\u0000""#, #""\\\uFFFd""#),
        (#""\\\\u0000""#, #""\\\\u0000""#),
        (#""\\\\\ud800""#, #""\\\\\uFFFd""#),
        (#""\"\u0000""#, #""\"\uFFFd""#),
        (#""\ud7ff\ue000\u0001\ufffd""#, #""\ud7ff\ue000\u0001\ufffd""#),
        (#"{"\u0000":"\ud800"}"#, #"{"\uFFFd":"\uFFFd"}"#),
        (#"\u0000"#, #"\u0000"#),
        (#"["a"\u0000,"b"]"#, #"["a"\u0000,"b"]"#),
        (#""\u000""#, #""\u000""#),
        (#""\u00g0""#, #""\u00g0""#),
        (#""\ud800\u""#, #""\uFFFd\u""#),
        (#""\ud800"#, #""\uFFFd"#),
        (#""\ud80"#, #""\ud80"#),
        (#""\"#, #""\"#),
        (#""\u"#, #""\u"#),
        ("", ""),
    ])
    func `escapes without a character are overwritten, all others stay`(
        before: String, after: String
    ) throws {
        #expect(try checked(before) == after)
    }

    /// SQLite compares a name with a path as it is written.
    @Test(arguments: [
        (#"{"\u00fc":"\u00fc"}"#, #"{"ü":"\u00fc"}"#),
        (
            #"[{"a\/b" : 1}, {"\u0061\u0062"\#t:\#n{"\uD83D\uDE00":"\/"}}]"#,
            #"[{"a/b" : 1}, {"ab"\#t:\#n{"😀":"\/"}}]"#
        ),
        (#"{"a\"\\\n\u0022\u005C\u001f":1}"#, #"{"a\"\\\n\u0022\u005C\u001f":1}"#),
        (#"{"\u005cu00fc":1}"#, #"{"\u005cu00fc":1}"#),
        (#"{"\u007f\u2028":1}"#, #"{"\#u{7F}\#u{2028}":1}"#),
        (#"["\u00fc","\u00fc"]"#, #"["\u00fc","\u00fc"]"#),
        (#"{"x":1,"\u00fc"#, #"{"x":1,"\u00fc"#),
        (#"{"\u00fc":1,"\u00fc"#, #"{"ü":1,"\u00fc"#), (#"{"\x\u00fc":1}"#, #"{"\xü":1}"#),
    ])
    func `the name of a member has no needless escape`(before: String, after: String) throws {
        #expect(try Array(checked(before).utf8) == Array(after.utf8))
        #expect(try Array(checked(after).utf8) == Array(after.utf8))
    }

    @Test func `the names of a row that is too large are gone with it`() throws {
        let large = String(repeating: "x", count: 1 << 20)
        #expect(
            try checked(#"[{"\u00fc":"\#(large)"},{"\u00fc":1}]"#) == #"[null,{"ü":1}]"#)
    }

    @Test func `every surrogate escape alone is overwritten and no other escape is`() throws {
        for unit in UInt16.min ... .max {
            let digits = String(unit, radix: 16)
            let escape = "\"\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "\""
            let isMended = unit == 0 || (0xD800...0xDFFF).contains(unit)
            let after = try checked(escape)
            if after != (isMended ? #""\uFFFd""# : escape) { Issue.record("\(escape)") }
        }
    }

    @Test func `random escapes are mended like a slow reader of our own would, and only once`() {
        var random = SeededGenerator(seed: 3)
        let pieces = [
            "\\", "\"", "u", "\\u", "0000", "d83d", "DE00", "\\ud83d", "\\ude00", "\\u0000", "x",
            "é",
            "\\\\", "00", "12345678", ",", "d8",
        ]
        for round in 0..<4_000 {
            var text = "\""
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            var body = Array(text.utf8)
            do {
                try BodyCheck.run(&body, maxDepth: 64)
                let once = body
                try BodyCheck.run(&body, maxDepth: 64)
                if once != Self.mended(text) || once != body { Issue.record("\(round): \(text)") }
            } catch {
                Issue.record("\(round): \(text): \(error)")
            }
        }
    }

    /// The same rule told another way: one character after the other, by pattern.
    private static func mended(_ text: String) -> [UInt8] {
        var result = ""
        var rest = text[...]
        var isInText = false
        while let first = rest.first {
            if first == "\"" {
                isInText.toggle()
            } else if isInText, first == "\\" {
                if let pair = rest.prefixMatch(
                    of: /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/)
                {
                    result += pair.output
                    rest = rest.dropFirst(12)
                    continue
                }
                if rest.prefixMatch(of: /\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})/) != nil {
                    result += #"\uFFFd"#
                    rest = rest.dropFirst(6)
                    continue
                }
                if let plain = rest.prefixMatch(of: /\\[\x01-\x7f]/) {
                    result += plain.output
                    rest = rest.dropFirst(2)
                    continue
                }
            }
            result.append(first)
            rest = rest.dropFirst()
        }
        return Array(result.utf8)
    }
}
