package import Text

/// A declaration that fits what a server answered, and why each line of it is as it is.
package struct ListProposal: Sendable, Hashable {
    /// The object of the file.
    package private(set) var declaration: JSONNode
    /// In the order of the declaration's lines.
    package private(set) var evidence: [Evidence]
    /// What the person should look at before anything else.
    package private(set) var warnings: [String]

    init(declaration: JSONNode, evidence: [Evidence], warnings: [String]) {
        self.declaration = declaration
        self.evidence = evidence
        self.warnings = warnings
    }

    /// Adds why a line is as it is, before all others.
    package mutating func note(_ key: String, _ sentence: String) {
        evidence.insert(Evidence(key, sentence), at: 0)
    }

    /// Adds a line of the declaration behind the one of `place`.
    mutating func insert(_ key: String, _ node: JSONNode, behind place: String) {
        var members = (declaration.members ?? []).map { ($0.key, Optional($0.node)) }
        let index = members.firstIndex { $0.0 == place }.map { $0 + 1 } ?? members.endIndex
        members.insert((key, node), at: index)
        declaration = .object(members)
    }

    /// Adds reasons behind those of `place`.
    mutating func add(_ reasons: [Evidence], behind place: String) {
        let index = evidence.lastIndex { $0.key == place }.map { $0 + 1 } ?? evidence.endIndex
        evidence.insert(contentsOf: reasons, at: index)
    }

    /// Adds what the person should look at.
    mutating func warn(_ sentence: String) { warnings.append(sentence) }

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
