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
    static func read(
        _ body: [UInt8], ofType type: String? = nil, without secrets: Secrets
    ) -> String? {
        var body = body
        guard !body.isEmpty, body.count <= maxBodyBytes else { return nil }
        if let type, type.lowercased().hasPrefix("text/plain"), let words = plain(body) {
            return secrets.mended(foreign: words, maxBytes: maxBytes)
        }
        do {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
            let data = Data(body)
            let shape = try JSONDecoder().decode(ReasonShape.self, from: data)
            guard var text = shape.reason else { return nil }
            if case .object(let members) = shape, text == members["status_message"]?.words,
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

    /// A sentence without any form; nil for a page.
    private static func plain(_ body: [UInt8]) -> String? {
        guard body.count <= maxBytes,
            !["<", "{", "["].contains(where: { body.starts(with: $0.utf8) })
        else { return nil }
        let isSpace: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        let start = body.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return nil }
        return String(decoding: start[...end], as: UTF8.self)
    }
}
