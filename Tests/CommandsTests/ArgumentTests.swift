import CommandLine
import Commands
import Testing

@Suite struct ArgumentTests {
    private static let commands = CommandTable.standard.commands.filter { $0.name != "help" }

    private func parse(_ words: [String]) throws(UsageError) -> Arguments? {
        switch try CommandTable.standard.request(words) {
        case .command(_, let arguments): arguments
        case .help: nil
        }
    }

    /// The words of a command with as many operands as it needs.
    private func line(_ command: CommandSyntax) -> [String] {
        command.name.split(separator: " ").map(String.init)
            + Array(repeating: "1", count: command.operands.count.lowerBound)
    }

    @Test func `every option of every command is read in both its forms`() throws {
        for command in Self.commands {
            for option in command.allOptions where option.name != "help" {
                let words = line(command)
                guard option.value != nil else {
                    let parsed = try #require(try parse(words + ["--\(option.name)"]))
                    #expect(parsed.flags == [option.name])
                    continue
                }
                let parsed = try #require(try parse(words + ["--\(option.name)", "v=1"]))
                #expect(parsed.values == [option.name: "v=1"])
                #expect(try parse(words + ["--\(option.name)=v=1"]) == parsed)
                // Options may stand before operands.
                let first = command.name.split(separator: " ").count
                var mixed = words
                mixed.insert("--\(option.name)=v=1", at: first)
                #expect(try parse(mixed) == parsed)
            }
        }
    }

    @Test func `a value that begins with a combining mark is read in both forms`() throws {
        let value = "\u{312}x"
        let parsed = try #require(try parse(["status", "--max-age=" + value]))
        #expect(parsed.values == ["max-age": value])
        #expect(try parse(["status", "--max-age", value]) == parsed)
    }

    @Test func `every option of every command is refused in its wrong form`() {
        for command in Self.commands {
            for option in command.allOptions {
                let word = "--\(option.name)"
                let wrong = option.value == nil ? [[word + "=x"]] : [[word], [word, "--json"]]
                for words in wrong {
                    #expect(throws: UsageError.self, "\(command.name) \(words)") {
                        try parse(line(command) + words)
                    }
                }
                let near = option.name.dropLast() + "~"
                let problem = #expect(throws: UsageError.self) {
                    try parse(line(command) + ["--\(near)"])
                }
                #expect(problem?.command == command.name)
                #expect(problem?.description.contains("; the nearest one is --") == true)
            }
        }
    }

    @Test func `an operand too few or too many is refused`() {
        for command in Self.commands {
            let rule = command.operands.count
            let words = command.name.split(separator: " ").map(String.init)
            if rule.lowerBound > 0 {
                #expect(throws: UsageError.self) { try parse(words) }
            }
            if rule.upperBound < 10 {
                let operands = Array(repeating: "1", count: rule.upperBound + 1)
                #expect(throws: UsageError.self) { try parse(words + operands) }
            }
        }
    }

    @Test func `help is found wherever it stands`() throws {
        for command in Self.commands {
            let words = command.name.split(separator: " ").map(String.init)
            #expect(try parse(words + ["--help"]) == nil)
            #expect(try parse(words + ["--quiet", "--help"]) == nil)
        }
    }

    @Test func `after two dashes everything is an operand`() throws {
        let words = ["todo", "add", "--json", "--", "--json", "-", "--"]
        let parsed = try #require(try parse(words))
        #expect(parsed.operands == ["--json", "-", "--"])
        #expect(parsed.flags == ["json"])
    }

    @Test(
        arguments: [
            (["-"], true), (["--json", "-"], true), (["-", "--"], true), (["--", "-"], false),
            (["-", "a"], false), (["-", "--", "-"], false), (["a"], false),
        ] as [([String], Bool)])
    func `a dash alone is standard input, unless it follows after two`(
        words: [String], readsInput: Bool
    ) throws {
        #expect(try parse(["todo", "add"] + words)?.readsInput == readsInput)
    }

    @Test(
        arguments: [
            (["add", "notes", "-"], true), (["rm", "notes", "-"], true),
            (["add", "--json", "notes", "-", "--"], true), (["add", "notes", "--", "-"], false),
            (["add", "-", "a=b"], false), (["add", "notes", "-", "a=b"], false),
            (["rm", "notes", "1", "-"], false),
        ] as [([String], Bool)])
    func `behind the name of a list it is, too, where it stands alone`(
        words: [String], readsInput: Bool
    ) throws {
        #expect(try parse(words)?.readsInput == readsInput)
    }

    @Test func `of a repeated option the last value counts`() throws {
        let words = ["movies", "--limit", "1", "--limit=2"]
        #expect(try parse(words)?.positiveInteger("limit") == 2)
    }

    @Test(arguments: ["1", "7", "9223372036854775807"]) func `an id is a whole number from 1`(
        text: String
    ) throws {
        let parsed = try #require(try parse(["todo", "rm", text]))
        #expect(try parsed.identifiers(parsed.operands) == [Int64(text)])
    }

    @Test func `an id that is given twice counts once`() throws {
        let parsed = try #require(try parse(["todo", "rm", "2", "1", "2", "2"]))
        #expect(try parsed.identifiers(parsed.operands) == [2, 1])
    }

    @Test(arguments: [
        "", "0", "-1", "+1", "01", "1 ", " 1", "1.0", "1e3", "0x1", "٣", "1 OR 1=1",
        "9223372036854775808",
    ]) func `anything else is no id`(text: String) throws {
        let parsed = try #require(try parse(["todo", "rm", "--", text]))
        #expect(throws: CommandError.self) { try parsed.identifiers(parsed.operands) }
    }

    @Test func `a duration without a unit counts seconds`() throws {
        let words = ["status", "--max-age"]
        #expect(try parse(words + ["90"])?.duration("max-age") == .seconds(90))
        #expect(try parse(words + ["1h30m"])?.duration("max-age") == .seconds(5400))
        for text in ["0", "-1", "1.5", "1 h", "99999999999", ""] {
            let parsed = try #require(try parse(["status", "--max-age=\(text)"]))
            #expect(throws: CommandError.self, "\(text)") { try parsed.duration("max-age") }
        }
    }

    @Test func `a day is one that its month has`() throws {
        #expect(
            try parse(["movies", "--from=2028-02-29"])?.day("from", today: "2030-01-02")
                == "2028-02-29")
        #expect(
            try parse(["movies", "--from=today"])?.day("from", today: "2030-01-02") == "2030-01-02")
        for text in ["2027-02-29", "2027-2-1", "20270201", "2027-02-01T00:00:00Z", ""] {
            let parsed = try #require(try parse(["movies", "--from=\(text)"]))
            #expect(throws: CommandError.self, "\(text)") { try parsed.day("from", today: "") }
        }
    }
}
