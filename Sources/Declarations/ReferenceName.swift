/// What the name of a field says of rows that it could be about: `project_id`, `projectId` and `project` are about a row
/// of `projects`.
public struct ReferenceName: Sendable, Hashable {
    /// Whether it ends as the name of an id does.
    public let isID: Bool
    private let stem: String

    /// Looks at the name of a column, or of a member of a document.
    public init(_ field: String) {
        let bytes = field.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let name = String(decoding: bytes, as: UTF8.self)
        let end = ["_id", "id"].first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
        isID = end != nil
        stem = end.map { String(name.dropLast($0.utf8.count)) } ?? name
    }

    /// Whether it is about a row of a list of this name.
    public func isAbout(_ list: ListName) -> Bool {
        list.text == stem + "s" || list.text == stem + "es"
            || stem.hasSuffix("y") && list.text == stem.dropLast() + "ies"
    }
}
