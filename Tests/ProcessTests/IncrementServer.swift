import Foundation
import HostileHTTP

/// A server whose list of notes can be asked for what has changed since a moment, and tells the truth or not.
struct IncrementServer {
    /// What is wrong with it.
    enum Lie: Sendable {
        case none
        /// The parameter means nothing.
        case ignored
        /// No change is ever shown.
        case empty
        /// The first rows, whatever was asked for.
        case firstPage
        /// The parameter is refused.
        case refused
        /// Rows of the moment itself do not come.
        case later
        /// One changed row is missing.
        case lacking
        /// Each question has another limit: the server is busy.
        case busy
    }

    let http: HostileServer
    var address: String { "http://127.0.0.1:\(http.port)" }
    /// What was asked for, in its order.
    var targets: [String] {
        http.received.compactMap {
            $0.line.split(separator: " ").dropFirst().first.map(String.init)
        }
    }

    /// One whose answers are another's.
    init(http: HostileServer) { self.http = http }

    /// `moments` of the rows 1, 2, 3, …, asked for by `updated_since`.
    init(_ moments: [String?], lie: Lie = .none) throws {
        let rows = moments.enumerated().map { index, moment in
            let text = moment.map { "\"\($0)\"" } ?? "null"
            return (moment ?? "", #"{"id":\#(index + 1),"title":"t","updated_at":\#(text)}"#)
        }
        http = try HostileServer { connection in
            while let request = connection.readRequest() {
                let target = request.line.split(separator: " ").dropFirst().first ?? ""
                connection.send(Self.answer(String(target), rows, lie))
            }
        }
    }

    private static func answer(
        _ target: String, _ rows: [(moment: String, text: String)], _ lie: Lie
    ) -> String {
        if let row = rows.indices.first(where: { target == "/notes/\($0 + 1)" }) {
            return answer("200 OK", rows[row].text)
        }
        guard target.hasPrefix("/notes") else { return answer("404 Not Found", "{}") }
        guard let part = target.split(separator: "updated_since=").dropFirst().first,
            let since = part.prefix(while: { $0 != "&" }).removingPercentEncoding
        else {
            if lie == .busy, target.contains("?") { return answer("429 Busy", "{}") }
            return list(rows)
        }
        switch lie {
        case .none: return list(rows.filter { $0.moment >= since })
        case .ignored: return list(rows)
        case .empty: return list([])
        case .firstPage: return list(Array(rows.prefix(2)))
        case .refused: return answer("400 Bad Request", #"{"error":"no such filter"}"#)
        case .later: return list(rows.filter { $0.moment > since })
        case .lacking: return list(Array(rows.filter { $0.moment >= since }.dropLast()))
        case .busy: return answer("429 Busy", "{}")
        }
    }

    private static func list(_ rows: [(moment: String, text: String)]) -> String {
        answer("200 OK", "[\(rows.map(\.text).joined(separator: ","))]")
    }

    private static func answer(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
