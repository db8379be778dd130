import Rendering
import Testing

@Suite struct CSVTests {
    private let csv = CSV(for: .stream)

    private func text(_ fields: [String?]) -> String {
        String(decoding: csv.record(fields), as: UTF8.self)
    }

    @Test func `a field is quoted where its text could be misread`() {
        #expect(
            text(["id", "a,b", "say \"hi\"", "two\nlines", " x", "é", "", nil])
                == "id,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" x\",é,\"\",\r\n")
        #expect(text([nil]) == "\"\"\r\n")
        #expect(text([nil, nil]) == ",\r\n")
        #expect(text([]) == "\r\n")
    }

    @Test func `a stream gets every text as it is, a terminal its visible form`() {
        #expect(text(["a\u{1b}[2Jb"]) == "a\u{1b}[2Jb\r\n")
        let terminal = CSV(for: .terminal(columns: 80, style: Style(colour: true)))
        #expect(
            String(decoding: terminal.record(["a\u{1b}[2J,\n"]), as: UTF8.self)
                == "\"a\\u{1b}[2J,\\n\"\r\n")
    }

    @Test func `F11: a text that a spreadsheet would evaluate gets an apostrophe`() {
        let begins = "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.map(String.init)
        #expect(begins.count == 11)
        for begin in begins {
            #expect(CSV.inert(begin + "1+1") == "'" + begin + "1+1")
            #expect(CSV.inert("a" + begin) == "a" + begin)
        }
        // Swift sees one character here, a spreadsheet two.
        #expect(CSV.inert("=\u{301}1") == "'=\u{301}1")
        #expect(CSV.inert("\r\n=1") == "'\r\n=1")
        #expect(CSV.inert("") == "")
        #expect(CSV.inert("'=1") == "'=1")
    }

    @Test func `what is written reads back as itself`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let fields: [String?] = (0..<Int.random(in: 2...5, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? random.text() + [",", "\"", "\r\n", ""].randomElement(using: &random, or: "")
                    : nil
            }
            let records = parsed(csv.record(fields) + csv.record(fields))
            #expect(records == [bytes(fields), bytes(fields)])
        }
    }

    private func bytes(_ fields: [String?]) -> [[UInt8]?] {
        fields.map { field in field.map { Array($0.utf8) } }
    }

    /// A reader of RFC 4180 that tells an empty text (quoted) from an absent one.
    private func parsed(_ bytes: [UInt8]) -> [[[UInt8]?]] {
        var records: [[[UInt8]?]] = []
        var record: [[UInt8]?] = []
        var field: [UInt8]?
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isQuoted {
                if byte == 0x22, index + 1 < bytes.count, bytes[index + 1] == 0x22 {
                    field?.append(0x22)
                    index += 1
                } else if byte == 0x22 {
                    isQuoted = false
                } else {
                    field?.append(byte)
                }
            } else if byte == 0x22 {
                isQuoted = true
                field = field ?? []
            } else if byte == 0x2C {
                record.append(field)
                field = nil
            } else if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A {
                records.append(record + [field])
                record = []
                field = nil
                index += 1
            } else {
                field = (field ?? []) + [byte]
            }
            index += 1
        }
        return records
    }
}

extension Array where Element == String {
    /// One of the elements, or `fallback` when there is none.
    fileprivate func randomElement(
        using random: inout SeededGenerator, or fallback: String
    ) -> String {
        randomElement(using: &random) ?? fallback
    }
}
