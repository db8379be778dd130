internal import CommandLine
internal import Declarations
internal import SQLite
internal import Tables
internal import Text

/// Reads values of a list's columns as a person gives them: as `COLUMN=VALUE`, or in a JSON object.
struct GivenValues {
    /// What the values are for.
    enum Purpose {
        /// A value that is left out, or null, is not there.
        case newRow
        /// A null takes the row's value away.
        case change
    }

    private let purpose: Purpose
    private let list: ListName
    private let known: Declaration
    /// Those that values can be given for.
    let columns: [Column]

    init(_ table: ListTable, for purpose: Purpose) {
        self.purpose = purpose
        known = table.declaration
        list = table.declaration.name
        columns =
            switch purpose {
            case .newRow: table.givable
            case .change: table.changeable
            }
    }

    /// The values of words such as `title=milk`, by the place of their column.
    func values(_ words: some Sequence<String>) throws(CommandError) -> [Int: Value] {
        var given: [Int: Value] = [:]
        for word in words {
            // By scalars: a value that begins with a combining mark makes one character with the `=`.
            let halves = word.unicodeScalars
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = halves.first, let text = halves.last else {
                throw usage("‘\(Arguments.shown(word))’ gives no value: write COLUMN=VALUE")
            }
            let place = try place(of: String(name), at: nil)
            guard given[place] == nil else { throw usage("\(columns[place].name) is given twice") }
            given[place] = try value(String(text), for: columns[place])
        }
        return given
    }

    /// The members of the JSON object in a line.
    func members(of line: String, at lineName: String) throws(CommandError) -> [JSONNode.Member] {
        let node: JSONNode
        do throws(JSONSyntaxError) {
            node = try JSONReader.readWhole(Array(line.utf8))
        } catch {
            throw .data(
                "\(lineName), column \(error.position.column): \(Arguments.shown(error.reason))",
                hint: hint)
        }
        guard case .object(let members) = node.value else {
            throw .data("\(lineName): expected an object, found \(node.kind)", hint: hint)
        }
        return members
    }

    /// The values of an object's members, by the place of their column.
    func values(
        _ members: [JSONNode.Member], at lineName: String
    ) throws(CommandError) -> [Int: Value] {
        var given: [Int: Value] = [:]
        for member in members {
            if member.node.value == .null, purpose == .newRow {
                try requireColumn(member.key, at: lineName)
                continue
            }
            let place = try place(of: member.key, at: lineName)
            let column = columns[place]
            guard let value = value(member.node, for: column) else {
                throw .data(
                    "\(lineName): \(column.name): expected \(expectation(column)), "
                        + "found \(member.node.kind)",
                    hint: hint)
            }
            given[place] = value
        }
        return given
    }

    /// What follows the sentence of a wrong line.
    var hint: String {
        switch purpose {
        case .newRow: "Mend it; nothing was added."
        case .change: "Mend it; nothing was changed."
        }
    }

    // MARK: Columns

    /// Where a column of this name stands among those that can be given.
    private func place(of name: String, at line: String?) throws(CommandError) -> Int {
        try requireColumn(name, at: line)
        guard let place = columns.firstIndex(where: { $0.name == name }) else {
            let refusal =
                switch purpose {
                case .newRow: "cannot be given to a new row"
                case .change: "cannot be changed"
                }
            throw .data(
                prefix(line) + "\(Arguments.shown(name)) of \(list) \(refusal)", hint: choice)
        }
        return place
    }

    private func requireColumn(_ name: String, at line: String?) throws(CommandError) {
        guard known.column(name) == nil else { return }
        throw .data(
            prefix(line) + "\(list) has no column ‘\(Arguments.shown(name))’"
                + NearestName.remark(on: name, among: columns.map(\.name)),
            hint: choice)
    }

    private var choice: String {
        let names = columns.map(\.name).joined(separator: ", ")
        return switch purpose {
        case .newRow: "A new row takes \(names)."
        case .change: "Its declaration takes changes of \(names)."
        }
    }

    private func prefix(_ line: String?) -> String { line.map { "\($0): " } ?? "" }

    private func usage(_ text: String) -> CommandError {
        switch purpose {
        case .newRow: .usage(UsageError(text, command: "add"))
        case .change: .usage(UsageError(text, command: "set"))
        }
    }

    // MARK: Values

    private func value(_ text: String, for column: Column) throws(CommandError) -> Value {
        if column.field?.type == .text { return .text(text) }
        guard !text.isEmpty else {
            throw .data(
                "\(column.name): expected \(expectation(column)), found nothing",
                hint: way(toGiveNo: column))
        }
        var reason = ""
        do throws(JSONSyntaxError) {
            let node = try JSONReader.readWhole(Array(text.utf8))
            if let value = value(node, for: column) { return value }
        } catch {
            if column.field?.type == .json {
                reason =
                    " (character \(error.position.column): \(Arguments.shown(error.reason)))"
            }
        }
        let shown = Arguments.shown(text)
        throw .data(
            "\(column.name): expected \(expectation(column)), found ‘\(shown)’\(reason)",
            hint: "Give another value, or leave \(column.name) out.")
    }

    private func way(toGiveNo column: Column) -> String {
        switch purpose {
        case .newRow: "To give it no value, leave \(column.name) out."
        case .change: "To take its value away, write \(column.name)=null."
        }
    }

    private func value(_ node: JSONNode, for column: Column) -> Value? {
        node.value == .null && purpose == .change ? .null : node.value(of: column)
    }

    /// What can be given for a column.
    private func expectation(_ column: Column) -> String {
        switch column.field?.type {
        case .text, nil: "a text"
        case .integer, .integerText: "a whole number within 64 bits"
        case .real, .realText: "a number"
        case .boolean: "true or false"
        case .json: "an object or a list"
        case .row, .rowText:
            "the number of a row of \(column.reference?.list.text ?? "another list") here"
        }
    }
}

extension JSONNode {
    /// As the table stores it in `column`, and as a pull of the same value would; nil for another type.
    fileprivate func value(of column: Column) -> SQLite.Value? {
        switch (column.field?.type.plain, value) {
        case (.text, .text(let text)): .text(text)
        case (.boolean, .bool(let flag)): .flag(flag)
        case (.boolean, .number("0")): .flag(false)
        case (.boolean, .number("1")): .flag(true)
        case (.integer, .number), (.row, .number): wholeNumber.map { .integer($0) }
        case (.real, .number): realNumber.map { .real($0) }
        case (.json, .object), (.json, .list): .text(compact)
        default: nil
        }
    }

    /// What a message calls it.
    var kind: String {
        switch value {
        case .text: "a text"
        case .null, .bool, .number, .list, .object: excerpt
        }
    }
}
