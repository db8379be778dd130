import Foundation
import Rendering
import Testing
import Text

@Suite struct JSONValueTests {
    private func text(_ value: JSONValue) -> String {
        String(decoding: value.bytes, as: UTF8.self)
    }

    @Test func `each kind of value has its JSON form, members keep their order`() {
        let value: JSONValue = [
            "z": nil, "a": true, "m": [1, -2, "x", .double(0.5), []], "o": [:],
            "big": .integer(.max), "small": .integer(.min),
        ]
        #expect(
            text(value)
                == #"{"z":null,"a":true,"m":[1,-2,"x",0.5,[]],"o":{},"big":9223372036854775807,"#
                + #""small":-9223372036854775808}"#)
        #expect(text(.optional("t")) == #""t""# && text(.optional(String?.none)) == "null")
        #expect(text(.optional(Int64(7))) == "7" && text(.optional(Int64?.none)) == "null")
    }

    @Test(arguments: [
        (0.0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (6.72, "6.72"), (1e300, "1e+300"),
        (.leastNonzeroMagnitude, "5e-324"), (.nan, "null"), (.infinity, "null"),
        (-.infinity, "null"),
    ])
    func `a number is written in its shortest form, what is no number as null`(
        number: Double, form: String
    ) {
        #expect(text(.double(number)) == form)
    }

    @Test func `every double reads back as itself`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let bytes = JSONDocument([.double(number)]).bytes
            #expect(try JSONDecoder().decode([Double].self, from: Data(bytes)) == [number])
        }
    }

    @Test(arguments: [
        ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1b}\u{7f}", #""\u0000\u001b\u007f""#),
        ("\u{9b}\u{202e}\u{2028}", #""\u009b\u202e\u2028""#), ("é東🍿", #""é東🍿""#), ("", #""""#),
    ])
    func `a string is escaped for parsers and for terminals`(string: String, form: String) {
        #expect(text(.string(string)) == form)
    }

    @Test func `every text reads back as itself, as a value and as a name`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3_000 {
            let string = random.text()
            let bytes = JSONDocument(.object([.init(string, .string(string))])).bytes
            let read = try JSONDecoder().decode([String: String].self, from: Data(bytes))
            #expect(read.map { Array($0.key.utf8) } == [Array(string.utf8)])
            #expect(read.map { Array($0.value.utf8) } == [Array(string.utf8)])
            let written = String(decoding: bytes.dropLast(), as: UTF8.self)
            #expect(ForeignText(written).escaped == written)
        }
    }

    @Test func `raw JSON stays on one line, with the same meaning and no command in it`() throws {
        let raw = "{ \"a\\\"b\" :\r\n\t[ 1 , \"x  y\\\\\" , \"\u{9b}\u{202e}\" ] }\n"
        let line = String(decoding: JSONLines.bytes(of: .raw(Array(raw.utf8))), as: UTF8.self)
        #expect(line == #"{"a\"b":[1,"x  y\\","\u009b\u202e"]}"# + "\n")
    }

    @Test func `raw JSON inside a value is part of the document`() throws {
        let value: JSONValue = ["row": .raw(Array(#"{"id": 1, "t": "\u0041 \n"}"#.utf8)), "n": 2]
        #expect(text(value) == #"{"row":{"id":1,"t":"\u0041 \n"},"n":2}"#)
    }

    @Test(arguments: 0...3)
    func `an array written element by element is one document`(count: Int) throws {
        var writer = JSONArrayWriter()
        var bytes: [UInt8] = []
        for index in 0..<count { bytes += writer.add(["n": .integer(Int64(index))]) }
        bytes += writer.end()
        let read = try JSONDecoder().decode([[String: Int]].self, from: Data(bytes))
        #expect(read == (0..<count).map { ["n": $0] })
        #expect(bytes.last == 0x0A)
    }

    @Test func `an array that was not ended is no document`() {
        var writer = JSONArrayWriter()
        let bytes = writer.add(1) + writer.add(2)
        _ = writer.end()
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Int].self, from: Data(bytes))
        }
    }
}
