/// How many operands a command takes, and what they are called.
package struct OperandRule: Sendable, Hashable {
    /// For messages: `at least one TITLE, or -`.
    let name: String
    /// For the line of usage: `TITLE… | -`.
    let usage: String
    package let count: ClosedRange<Int>
    /// The words that it can be; empty where it can be anything.
    package let choices: [String]

    /// So many operands, which are called `name` in messages and `usage` in the line of usage.
    package init(name: String, usage: String, count: ClosedRange<Int>, choices: [String] = []) {
        self.name = name
        self.usage = usage
        self.count = count
        self.choices = choices
    }

    package static let none = OperandRule(name: "no operand", usage: "", count: 0...0)
}
