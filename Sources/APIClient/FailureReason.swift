import FoundationEssentials
import Text

/// A server's own words about why it refused.
enum FailureReason {
    /// Bodies beyond this are no error message; they are not read.
    private static let maxBodyBytes = 64 << 10
    /// The longest reason kept, in bytes.
    private static let maxBytes = 500

    /// The reason in any of the shapes the two APIs use, without secrets, escaped and at most 500
    /// bytes long; `nil` where there is none.
    ///
    /// Source: api-contract.md §1 (`status_message`, `errors`) and §2 (`reason`).
    static func read(_ body: [UInt8], without secrets: Secrets) -> String? {
        var body = body
        guard !body.isEmpty, body.count <= maxBodyBytes else { return nil }
        do {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
            let shapes = try JSONDecoder().decode(Shapes.self, from: Data(body))
            guard let text = shapes.text, !text.isEmpty else { return nil }
            return secrets.mended(foreign: text, maxBytes: maxBytes)
        } catch {
            // A page of HTML or anything else: then the status alone has to tell.
            return nil
        }
    }

    private struct Shapes: Decodable {
        let text: String?

        enum CodingKeys: String, CodingKey {
            case reason, errors
            case statusCode = "status_code"
            case statusMessage = "status_message"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Each field is foreign: one of another type is as good as none.
            let reason = try? container.decode(String.self, forKey: .reason)
            let message = try? container.decode(String.self, forKey: .statusMessage)
            let code = try? container.decode(Int.self, forKey: .statusCode)
            let errors = try? container.decode([String].self, forKey: .errors)
            let numbered = message.map { text in code.map { "\(text) (code \($0))" } ?? text }
            text = reason ?? numbered ?? errors?.joined(separator: "; ")
        }
    }
}
