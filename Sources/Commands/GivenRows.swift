internal import Declarations
internal import SQLite
package import Store
package import Tables
internal import Text

/// Reads new rows of a list as a person gives them: as `COLUMN=VALUE`, or as one JSON object a line.
///
/// What is wrong is told before anything is written, and with its place. The table's own rules come after
/// that.
package struct GivenRows {
    private let table: ListTable
    private let columns: [Column]

    package init(_ table: ListTable) {
        self.table = table
        columns = table.givable
    }

    /// The row of words such as `title=milk`.
    package func row(_ words: [String]) throws(CommandError) -> RowToAdd {
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
        return row(given, at: nil)
    }

    /// The rows of lines such as `{"title": "milk"}`.
    package func rows(_ lines: [String]) throws(CommandError) -> [RowToAdd] {
        var rows: [RowToAdd] = []
        for (index, line) in lines.enumerated() {
            rows.append(try row(line: line, at: "line \(index + 1)"))
        }
        return rows
    }

    private func row(line: String, at lineName: String) throws(CommandError) -> RowToAdd {
        let node: JSONNode
        do throws(JSONSyntaxError) {
            node = try JSONReader.readWhole(Array(line.utf8))
        } catch {
            throw .data(
                "\(lineName), column \(error.position.column): \(Arguments.shown(error.reason))",
                hint: Self.hint)
        }
        guard case .object(let members) = node.value else {
            throw .data(
                "\(lineName): expected an object, found \(node.kind)", hint: Self.hint)
        }
        var given: [Int: Value] = [:]
        // A null is no value: it is not there.
        for member in members where try isValue(member, at: lineName) {
            let place = try place(of: member.key, at: lineName)
            let column = columns[place]
            guard let value = member.node.value(of: column) else {
                throw .data(
                    "\(lineName): \(column.name): expected \(column.expectation), "
                        + "found \(member.node.kind)",
                    hint: Self.hint)
            }
            given[place] = value
        }
        return row(given, at: lineName)
    }

    private static let hint = "Mend it; nothing was added."

    private func isValue(_ member: JSONNode.Member, at line: String) throws(CommandError) -> Bool {
        guard member.node.value == .null else { return true }
        try requireColumn(member.key, at: line)
        return false
    }

    private func row(_ given: [Int: Value], at place: String?) -> RowToAdd {
        RowToAdd(place: place, values: columns.indices.map { given[$0] ?? .null })
    }

    // MARK: Columns

    /// Where a column of this name stands among those that can be given.
    private func place(of name: String, at line: String?) throws(CommandError) -> Int {
        try requireColumn(name, at: line)
        guard let place = columns.firstIndex(where: { $0.name == name }) else {
            throw .data(
                prefix(line) + "\(Arguments.shown(name)) of \(list) cannot be given to a new row",
                hint: choice)
        }
        return place
    }

    private func requireColumn(_ name: String, at line: String?) throws(CommandError) {
        guard table.declaration.column(name) == nil else { return }
        throw .data(
            prefix(line) + "\(list) has no column ‘\(Arguments.shown(name))’"
                + NearestName.remark(on: name, among: columns.map(\.name)),
            hint: choice)
    }

    private var list: ResourceName { table.declaration.name }
    private var choice: String {
        "A new row takes " + columns.map(\.name).joined(separator: ", ") + "."
    }

    private func prefix(_ line: String?) -> String { line.map { "\($0): " } ?? "" }

    private func usage(_ text: String) -> CommandError { .usage(text, command: "add") }

    // MARK: Values

    private func value(_ text: String, for column: Column) throws(CommandError) -> Value {
        if column.field?.type == .text { return .text(text) }
        guard !text.isEmpty else {
            throw .data(
                "\(column.name): expected \(column.expectation), found nothing",
                hint: "To give it no value, leave \(column.name) out.")
        }
        var reason = ""
        do throws(JSONSyntaxError) {
            let value = try JSONReader.readWhole(Array(text.utf8)).value(of: column)
            if let value { return value }
        } catch {
            if column.field?.type == .json {
                reason =
                    " (character \(error.position.column): \(Arguments.shown(error.reason)))"
            }
        }
        throw .data(
            "\(column.name): expected \(column.expectation), found ‘\(Arguments.shown(text))’\(reason)",
            hint: "Give another value, or leave \(column.name) out.")
    }
}

extension Column {
    /// What can be given for it.
    fileprivate var expectation: String {
        switch field?.type {
        case .text, nil: "a text"
        case .integer: "a whole number within 64 bits"
        case .real: "a number"
        case .boolean: "true or false"
        case .json: "an object or a list"
        }
    }
}

extension JSONNode {
    /// As the table stores it in `column`, and as a pull of the same value would; nil for another type.
    fileprivate func value(of column: Column) -> SQLite.Value? {
        switch (column.field?.type, value) {
        case (.text, .text(let text)): .text(text)
        case (.boolean, .bool(let flag)): .flag(flag)
        case (.boolean, .number("0")): .flag(false)
        case (.boolean, .number("1")): .flag(true)
        case (.integer, .number): wholeNumber.map { .integer($0) }
        case (.real, .number): realNumber.map { .real($0) }
        case (.json, .object), (.json, .list): .text(compact)
        default: nil
        }
    }

    /// What a message calls it.
    fileprivate var kind: String {
        switch value {
        case .text: "a text"
        case .null, .bool, .number, .list, .object: excerpt
        }
    }
}
