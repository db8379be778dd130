internal import Text

/// Why nothing can be proposed from an answer.
package enum ProposalError: Error, Sendable, Hashable {
    /// It is no JSON; where, and why.
    case noJSON(String)
    /// It is a page for people.
    case page
    /// It says itself that something went wrong.
    case complaint(String)
    /// No list is in it; its keys, and what `rows` would be if the members of an object in it are rows.
    case noList(keys: [String], members: String? = nil)
    /// The list at this path has no row yet.
    case emptyList(path: String)
    /// The list at this path has values that are no objects.
    case noObjects(path: String)
    /// No field is there and different in every row.
    case noID
    /// No field of a row can be a column.
    case noColumns
}

extension ProposalError: CustomStringConvertible {
    /// What is wrong with the answer.
    package var description: String {
        switch self {
        case .noJSON(let reason): "the answer is no JSON: \(ForeignText(reason))"
        case .page: "the answer is a page of HTML, and a list in JSON is needed"
        case .complaint(let text):
            "the answer holds no list, but says: \(ForeignText.escaped(text, maxBytes: 300))"
        case .noList(let keys, _):
            keys.isEmpty
                ? "the answer holds no list"
                : "the answer holds no list of objects; it has "
                    + ForeignText.escaped(
                        keys.prefix(8).map { $0.start(40) }.joined(separator: ", "), maxBytes: 300)
        case .emptyList(let path):
            "the list at \(ForeignText(path)) is empty, so that no row tells what it is made of"
        case .noObjects(let path):
            "the list at \(ForeignText(path)) has values that are no objects, and a row is an object"
        case .noID: "no field is in every row with another value in each, so that no row has an id"
        case .noColumns: "no field of the rows can be a column"
        }
    }

    /// What to do next.
    package var hint: String {
        switch self {
        case .noJSON:
            "Give the address of the API, which often has /api in it; docs/lists.md has examples."
        case .page:
            "Give the address of the API, which often has /api in it, or add"
                + " --header 'Accept: application/json'."
        case .complaint: "Correct the address as the server says."
        case .noList(_, nil): "Give the address of a list, and not that of one row."
        case .noList(_, let members?):
            "If each member there is a row, write the file by hand, with \"rows\": \"\(members)\" and"
                + " \"id\": \"@key\"; else give the address of a list."
        case .emptyList: "Add a row at the server and ask again, or write the file by hand."
        case .noObjects: "Give the address of a list of objects."
        case .noID: "Choose a list whose rows have an id, or write the file by hand."
        case .noColumns: "Write the file by hand: docs/lists.md says how."
        }
    }
}
