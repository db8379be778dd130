internal import APIClient
internal import Declarations
internal import Rules
internal import Store

/// Where the pages of a list are.
extension PageReader {
    func target(
        of request: PageWalk.Request, from page: String?
    ) throws(APIError) -> String {
        switch (request, declaration.paging) {
        case (.number(let number), .pages(let counted)):
            return source.client.target(
                of: list, parameters: [(counted.parameter, "\(number)")])
        case (.offset(let rows), .offset(let counted)):
            return source.client.target(
                of: list, parameters: [(counted.parameter, "\(rows)")] + limit(counted))
        case (.cursor(let cursor), .cursor(_, let parameter)):
            return source.client.target(of: list, parameters: [(parameter, cursor)])
        case (.address(let address), _):
            return try source.client.target(of: address, from: page ?? list)
        case (_, .pages(let counted)):
            return source.client.target(
                of: list, parameters: [(counted.parameter, "\(counted.first)")])
        case (_, .offset(let counted)):
            return source.client.target(of: list, parameters: limit(counted))
        default: return source.client.target(of: list, parameters: [])
        }
    }

    private func limit(_ counted: CountedRows) -> [(name: String, value: String)] {
        counted.limit.map { [($0.parameter, "\($0.rows)")] } ?? []
    }
}
