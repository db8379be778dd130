import APIClient

/// The movie service: one list in pages, read only.
extension ReferenceServer {
    /// What the service allows, whatever the list holds.
    private static let pageRange = 1...500

    func movieAnswer(
        _ request: HTTPRequest, path: ArraySlice<String>, query: [String: String]
    ) -> HTTPResponse {
        let bearer = Self.credentials("bearer", of: request)
        guard bearer == behaviour.moviesToken || query["api_key"] == behaviour.moviesToken else {
            return Self.movieRefusal(401, 7, "This key is not known here.")
        }
        guard Array(path) == ["movie", "upcoming"] else {
            return Self.movieRefusal(404, 34, "There is nothing at this path.")
        }
        guard request.method == .get else {
            var refused = Self.movieRefusal(405, 3, "This list can only be read.")
            refused.fields.append(HTTPField("Allow", "GET"))
            return refused
        }
        guard let page = Int(query["page"] ?? "1"), Self.pageRange.contains(page) else {
            return Self.movieRefusal(400, 22, "The page is a number from 1 to 500.")
        }
        let body = movies.body(page: page)
        let answer = HTTPResponse(
            status: 200, fields: [HTTPField("Content-Type", "application/json;charset=utf-8")],
            body: body)
        return conditional(answer, body, request)
    }

    private static func movieRefusal(_ status: Int, _ code: Int64, _ text: String) -> HTTPResponse {
        json(
            status,
            .object([
                ("status_code", .integer(code)), ("status_message", .string(text)),
                ("success", .bool(false)),
            ]))
    }
}
