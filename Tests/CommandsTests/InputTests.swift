import CommandLine
import Commands
import Store
import Testing

@Suite struct InputTests {
    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"]),
            ("a\n\nb\n", ["a", "", "b"]), ("\n", [""]), (" a \n", [" a "]), ("a\rb\n", ["a\rb"]),
        ] as [(String, [String])])
    func `lines are what stands between newlines`(text: String, lines: [String]) throws {
        #expect(try InputLines.lines(in: Array(text.utf8)) == lines)
    }

    @Test func `a line that is not UTF-8 is named`() {
        let problem = #expect(throws: CommandError.self) {
            try InputLines.lines(in: [0x61, 0x0A, 0xFF, 0x0A])
        }
        #expect(problem?.status == .data)
        #expect(problem?.description.hasPrefix("line 2 ") == true)
    }

    @Test func `titles of 1 to 4096 bytes are taken, others are named`() throws {
        let longest = String(repeating: "x", count: CacheStore.maxTitleBytes)
        try TitleRule.check(["a", longest, "ü", " a\n"])
        for (bad, sentence) in [
            ("", "is empty"), (longest + "x", "is 4097 bytes long; 4096 are allowed"),
            ("a\0b", "holds a NUL character"),
            (" \u{3000}\r\n", "holds nothing but white space"),
        ] {
            let problem = #expect(throws: CommandError.self) { try TitleRule.check(["a", bad]) }
            #expect(problem?.description == "title 2 \(sentence)")
            #expect(problem?.status == .data)
        }
    }
}
