/// A plain column that programs write, and that looks as if it named rows of another list of that server.
///
/// It holds the server's ids. A program that writes an `_id` of this file there, or joins on it, means another row.
public struct PlainReference: Sendable, Hashable, CustomStringConvertible {
    /// The list of the column.
    public let list: ListName
    /// The column.
    public let column: String
    /// Where its values stand in a document.
    public let path: String
    /// The list that it seems to be about.
    public let other: ListName

    /// What is dangerous about it, on one line.
    public var description: String {
        "\(column) holds ids of the server, and not the _id of \(other): what a program takes from there "
            + "can be the row of somebody else"
    }

    /// What to do next.
    public var hint: String {
        "Declare it as {\"row\": \"\(path)\", \"of\": \"\(other)\"}, or add \"of\": false to say that it is "
            + "about no row of that list."
    }
}

extension Declaration {
    /// The columns that programs write, and that are called like a row of one of `others`: `project_id`, `projectId` or
    /// `project` beside `projects`. None that says it is no reference.
    public func plainReferences(among others: [Declaration]) -> [PlainReference] {
        columns.compactMap { column -> PlainReference? in
            guard column.writing != .none, column.reference == nil, !column.isNoReference,
                let field = column.field, field.type == .integer || field.type == .text
            else { return nil }
            let names = [column.name] + (field.path.names?.last.map { [$0] } ?? [])
            // A text without `id` behind its name is more often a name than an id.
            let told = names.map(ReferenceName.init).filter { $0.isID || field.type == .integer }
            let other = others.map(\.name).first { other in
                other != name && told.contains { $0.isAbout(other) }
            }
            return other.map { other in
                PlainReference(
                    list: name, column: column.name, path: field.path.description, other: other)
            }
        }
    }
}
