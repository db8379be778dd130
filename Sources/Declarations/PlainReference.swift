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
        columns.compactMap { column in
            guard column.writing != .none, column.reference == nil, !column.isNoReference,
                let field = column.field, field.type == .integer || field.type == .text
            else { return nil }
            let names = [column.name] + (field.path.names?.last.map { [$0] } ?? [])
            let plurals = names.flatMap {
                Self.lists(namedBy: $0, isNumber: field.type == .integer)
            }
            let other = others.map(\.name).first { $0 != name && plurals.contains($0.text) }
            return other.map { other in
                PlainReference(
                    list: name, column: column.name, path: field.path.description, other: other)
            }
        }
    }

    /// Lists whose rows a field of this name can be about. A text without `id` behind its name is more often a name than
    /// an id.
    private static func lists(namedBy field: String, isNumber: Bool) -> [String] {
        let name = String(
            decoding: field.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        let end = ["_id", "id"].first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
        guard isNumber || end != nil else { return [] }
        let stem = end.map { String(name.dropLast($0.utf8.count)) } ?? name
        let irregular = stem.hasSuffix("y") ? ["\(stem.dropLast())ies"] : []
        return [stem + "s", stem + "es"] + irregular
    }
}
