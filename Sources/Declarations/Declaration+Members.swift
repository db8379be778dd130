internal import Text

/// Rows that are the members of an object.
extension Declaration {
    /// Under which a document has the name of its member.
    package static let memberName = "@key"

    /// Whether an answer is the list itself.
    package var hasPlainRows: Bool { rows == .root && !rowsAreMembers }
}

extension JSONPath {
    /// Where a document has the name of its member.
    static let memberName = JSONPath(steps: [.member(Declaration.memberName)])
}

extension DeclarationReader {
    /// What the members of an object cannot be.
    mutating func checkMembers(_ declaration: Declaration, _ fields: Fields) {
        guard declaration.rowsAreMembers else {
            guard declaration.id == .memberName else { return }
            note(
                fields["id"].offset, "id is \"@key\", and the rows are no members of an object",
                hint: "Write the path of an id in the row, or \"rows\" with .* at its end.")
            return
        }
        for key in ["create", "update", "delete", "read"] {
            guard let node = fields[key].node, node.value != .bool(false) else { continue }
            note(
                fields[key].offset,
                "\(key) is set, and the rows are members of an object, which are only read",
                hint: "Remove it.")
        }
        guard ![.none, .whole].contains(declaration.paging) else { return }
        note(
            fields["pages"].offset,
            "pages is set, and the rows are members of an object, which come in one answer",
            hint: "Remove it.")
    }
}
