import APIClient
import Testing

@Suite struct BodyCheckStructureTests {
    private func check(_ text: String, maxDepth: Int = 64) throws {
        var body = Array(text.utf8)
        try BodyCheck.run(&body, maxDepth: maxDepth)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
    func `a nesting of 64 passes and one of 65 is refused`(open: String, close: String) throws {
        let step = open.count { "[{".contains($0) }
        let fits = String(repeating: open, count: 64 / step)
        let ends = String(repeating: close, count: 64 / step)
        try check(fits + "1" + ends)
        #expect(throws: BodyCheckError.tooDeep(limit: 64, offset: fits.utf8.count)) {
            try check(fits + "[1]" + ends)
        }
        #expect(throws: BodyCheckError.tooDeep(limit: 64, offset: fits.utf8.count)) {
            try check(fits + "{" + ends)
        }
    }

    @Test func `brackets side by side and in texts do not count as nesting`() throws {
        try check("[" + Array(repeating: "[{}]", count: 1000).joined(separator: ",") + "]")
        try check("[\"" + String(repeating: "[{", count: 1000) + "\"]")
    }

    @Test func `millions of brackets are refused at the limit`() {
        #expect(throws: BodyCheckError.tooDeep(limit: 64, offset: 64)) {
            try check(String(repeating: "[", count: 5_000_000))
        }
    }

    @Test func `any depth limit is kept, also none at all`() throws {
        try check("1", maxDepth: 0)
        #expect(throws: BodyCheckError.tooDeep(limit: 0, offset: 0)) {
            try check("[]", maxDepth: 0)
        }
        #expect(throws: BodyCheckError.tooDeep(limit: -1, offset: 0)) {
            try check("[]", maxDepth: -1)
        }
    }

    private static let spellings = ["id", #"\u0069d"#, #"i\u0064"#, #"\u0069\u0064"#]

    @Test(arguments: spellings, spellings)
    func `a second id in one object is refused however it is written`(
        first: String, second: String
    ) throws {
        let head = "[{\"\(first)\": 1, \"title\": \"a\", "
        #expect(throws: BodyCheckError.doubledKey("id", offset: head.utf8.count)) {
            try check(head + "\"\(second)\" \n: 2}]")
        }
        try check("[{\"\(first)\":1},{\"\(second)\":1}]")
        try check("{\"\(first)\":{\"\(second)\":1}}")
        try check("{\"a\":{\"\(first)\":1},\"\(second)\":1}")
        #expect(throws: (any Error).self) {
            try check("{\"\(first)\":{\"a\":[{}]},\"\(second)\":1}")
        }
    }

    /// SQLite takes the one that is written plainly, `JSONDecoder` the first.
    @Test(arguments: ["title", #"ti\u0074le"#, #"\u0074\u0069\u0074\u006c\u0065"#])
    func `a second title in one object is refused however it is written`(spelling: String) throws {
        for (first, second) in [("title", spelling), (spelling, "title")] {
            let head = #"[{"\#(first)":"x","id":1,"#
            #expect(throws: BodyCheckError.doubledKey("title", offset: head.utf8.count)) {
                try check(head + #""\#(second)" : "y"}]"#)
            }
            try check(#"[{"\#(first)":1},{"\#(second)":{"\#(first)":"title"}}]"#)
        }
    }

    @Test(arguments: [
        #"{"id":"id","a":"id"}"#, #"{"id":1,"ID":2,"Id":3,"iD":4}"#,
        #"{"title":"title","Title":"","titl":1,"titlei":2}"#,
        #"{"id":1,"idx":2,"xid":3,"i":4}"#,
        #"{"id":1,"\\u0069d":2}"#, #"{"id":1,"\u0069\u0064x":2}"#, #"["id","id","id"]"#,
        #"{"id":1,"\u006":2}"#, #"{"id":1,"i\u0065":2}"#, #""id":1,"id":2"#,
    ])
    func `what only looks like a second id passes`(text: String) throws {
        try check(text)
    }

    @Test func `a key of more than 128 bytes is refused, a text is not`() throws {
        let long = String(repeating: "ä", count: 65)
        #expect(throws: BodyCheckError.longKey(limit: 128, offset: 2)) {
            try check(#"[{"\#(long)" : 1}]"#)
        }
        try check(#"[{"\#(long.dropLast())" : "\#(long)"}, "\#(long)"]"#)
        let escaped = String(repeating: #"\u4e2d"#, count: 42)
        try check(#"[{"\#(escaped)\n\"" : 1}]"#)
        #expect(throws: BodyCheckError.longKey(limit: 128, offset: 2)) {
            try check(#"[{"\#(escaped)\n\"x" : 1}]"#)
        }
        // Of ASCII alone, no run of combining marks can hide in it.
        try check(#"[{"\#(String(repeating: "a", count: 1000))": 1}]"#)
    }

    @Test(arguments: ["[1,]", "[1 ,\n\t\r ]", #"{"a":1,}"#, "[,]", #"[{"a":[1,]}]"#])
    func `a comma before a closing bracket is refused`(text: String) {
        var body = Array(text.utf8)
        #expect { try BodyCheck.run(&body, maxDepth: 64) } throws: { error in
            guard case .trailingComma(let offset) = error as? BodyCheckError else { return false }
            return text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: offset)] > 0x5A
        }
    }

    @Test(arguments: [
        #"[",]"]"#, #"[","]"#, #"{"a":",}"}"#, "[1,2]", "]", "}}}", "[}", "\"", "{{}",
    ])
    func `what is no comma before a bracket passes, also where the grammar is broken`(
        text: String
    ) throws {
        try check(text)
    }

    /// Texts are read eight bytes at a time: whatever stands before or behind a quote in a word, the
    /// text ends at it, and a bracket behind it counts.
    @Test func `a text ends at its quote at every place of a word, beside any byte`() {
        for byte in UInt8(1)...0x7F where !"\"\\".utf8.contains(byte) {
            for place in 1...16 {
                var body = [UInt8](repeating: byte, count: place) + Array("\"[]".utf8)
                body[0] = UInt8(ascii: "\"")
                body += [UInt8](repeating: UInt8(ascii: " "), count: 8)
                #expect(throws: BodyCheckError.tooDeep(limit: 0, offset: place + 1)) {
                    try BodyCheck.run(&body, maxDepth: 0)
                }
            }
        }
    }

    @Test func `no random input traps, and the length never changes`() {
        var random = SeededGenerator(seed: 4)
        let alphabet = Array("[]{}\",:\\u0idD8 \n1".utf8) + [0, 0x80, 0xC3, 0xA9, 0xE2, 0xF0, 0xFF]
        for _ in 0..<20_000 {
            var body = random.bytes(of: alphabet, upTo: 40)
            let length = body.count
            // Whether it is refused does not matter here, only that it comes back.
            try? BodyCheck.run(&body, maxDepth: 5)
            #expect(body.count == length)
        }
    }

    @Test func `every error says where, and what to do`() {
        let errors: [BodyCheckError] = [
            .byteOrderMark, .invalidUTF8(offset: 7), .rawNUL(offset: 7),
            .tooDeep(limit: 64, offset: 7),
            .doubledKey("id", offset: 7), .longKey(limit: 1024, offset: 7),
            .trailingComma(offset: 7), .tooManyRows(limit: 7), .largeEnvelope,
        ]
        for error in errors {
            let isOfWhole = [.byteOrderMark, .tooManyRows(limit: 7), .largeEnvelope].contains(error)
            #expect(isOfWhole || error.description.contains("byte 7"))
            #expect(error.hint.hasSuffix("."))
        }
    }
}
