import APIClient

/// Which list, or which row of it, a request is about.
struct ListPlace {
    /// The path of the list.
    let list: String
    /// The last segment of the path of a row.
    let id: String?

    init?(_ request: HTTPRequest) {
        let path = String(
            String.UnicodeScalarView(request.target.unicodeScalars.prefix { $0 != "?" }))
        let segments = path.split(separator: "/").map(String.init)
        let length = segments.first == "todos" ? 1 : segments.first == "lists" ? 2 : 0
        guard length > 0, segments.count == length || segments.count == length + 1 else {
            return nil
        }
        list = "/" + segments.prefix(length).joined(separator: "/")
        id = segments.count > length ? segments[length] : nil
    }
}
