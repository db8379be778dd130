import FoundationEssentials
import Text

/// A server's own words about why it refused.
enum FailureReason {
    /// Bodies beyond this are no error message; they are not read.
    private static let maxBodyBytes = 64 << 10
    /// The longest reason kept, in bytes.
    private static let maxBytes = 500

    /// The reason in any of the shapes that servers use, without secrets, escaped and at most 500
    /// bytes long; `nil` if there is no reason.
    ///
    /// Source: docs/server-api.md, "For every call".
    static func read(_ body: [UInt8], without secrets: Secrets) -> String? {
        var body = body
        guard !body.isEmpty, body.count <= maxBodyBytes else { return nil }
        do {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
            let data = Data(body)
            let shape = try JSONDecoder().decode(ReasonShape.self, from: data)
            guard case .object(let members) = shape, var text = shape.reason else { return nil }
            if text == members["status_message"]?.words,
                let code = try JSONDecoder().decode(ReasonShape.Code.self, from: data).number
            {
                text += " (code \(code))"
            }
            return secrets.mended(foreign: text, maxBytes: maxBytes)
        } catch {
            // A page of HTML or anything else: then the status alone has to tell.
            return nil
        }
    }
}
