/// One offence against a rule of the house: where it is, what is wrong, and what to do.
struct Finding: Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    var problem: String
    var remedy: String

    var description: String { "\(file):\(line): \(problem). \(remedy)." }
}

extension [Finding] {
    /// All of them, one a line, for the message of a failed expectation.
    var report: String { "\n" + map(\.description).sorted().joined(separator: "\n") }
}
