package import APIClient
package import Text

/// What a server answered where a list is expected.
package struct SeenList: Sendable, Hashable {
    /// Path and query that were answered, behind every redirect.
    package let target: String
    package let fields: [HTTPField]
    package let body: JSONNode

    /// Reads an answer that succeeded.
    ///
    /// - Parameters:
    ///   - response: As it came.
    ///   - body: Its bytes, which have passed `BodyCheck`.
    ///   - target: Path and query that were answered.
    /// - Throws: ``ProposalError`` for what is no JSON.
    package init(
        _ response: HTTPResponse, body: [UInt8], target: String
    ) throws(ProposalError) {
        self.target = target
        fields = response.fields
        do throws(JSONSyntaxError) {
            self.body = try JSONReader.read(body, maxDepth: BodyCheck.standardDepth + 1)
        } catch {
            throw .noJSON("line \(error.position.line): \(error.reason.start(100))")
        }
    }

    /// Whether an answer is a page for people, whatever its `Content-Type` says.
    package static func isPage(_ body: [UInt8]) -> Bool {
        body.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "<")
    }

    /// What the header tells of a longer list.
    var extent: ListExtent {
        ListExtent(of: HTTPResponse(status: 200, fields: fields), naming: [])
    }

    /// The methods that the server names for this address, `GET` and its like left out.
    var writeMethods: [String] {
        let named = fields.filter { $0.isNamed("allow") }.flatMap { field in
            field.value.split { $0 == "," || $0 == " " }.map { $0.uppercased() }
        }
        return ["POST", "PUT", "PATCH", "DELETE"].filter { named.contains($0) }
    }
}
