public import Text

/// What is wrong with a declaration, and where.
public struct DeclarationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where in the file.
    public let position: TextPosition
    /// What is wrong, on one line; it names the key with dots: `columns.title.write must be …`.
    public let sentence: String
    /// What to write instead, in one imperative sentence.
    public let hint: String

    /// `LINE:COLUMN: SENTENCE`.
    public var description: String { "\(position.line):\(position.column): \(sentence)" }
}

/// Everything that is wrong with one declaration; never empty.
public struct DeclarationError: Error, Sendable, Hashable {
    /// In the order of the file.
    public let problems: [DeclarationProblem]
}
