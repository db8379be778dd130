package import Text

/// A declaration that fits what a server answered, and why each line of it is as it is.
package struct ListProposal: Sendable, Hashable {
    /// The object of the file.
    package let declaration: JSONNode
    /// In the order of the declaration's lines.
    package private(set) var evidence: [Evidence]
    /// What the person should look at before anything else.
    package let warnings: [String]

    init(declaration: JSONNode, evidence: [Evidence], warnings: [String]) {
        self.declaration = declaration
        self.evidence = evidence
        self.warnings = warnings
    }

    /// Adds why a line is as it is, before all others.
    package mutating func note(_ key: String, _ sentence: String) {
        evidence.insert(Evidence(key, sentence), at: 0)
    }

    /// Why a line is as it is. Text from the server in it is not escaped.
    package struct Evidence: Sendable, Hashable {
        /// The key of the line.
        package let key: String
        /// One sentence.
        package let sentence: String

        init(_ key: String, _ sentence: String) {
            self.key = key
            self.sentence = sentence
        }
    }
}
