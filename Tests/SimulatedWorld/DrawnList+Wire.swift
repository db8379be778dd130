import APIClient
import APIClientTesting
import Declarations
import Foundation
import Host
import SyncEngine
import TestSupport
import Text

/// The list on the wire: its requests become those of the todos, and the answers to them rows of the list.
extension DrawnList {
    /// The request to the todo service that does what `request` says.
    func todosRequest(_ request: HTTPRequest) -> HTTPRequest {
        var todos = request
        let path = request.target.split(separator: "?")[0].split(separator: "/")
        switch (request.method, path.first, path.count) {
        case (.post, "session", 1):
            todos.target = "/login"
            todos.body = nil
            todos.fields.removeAll { $0.name.lowercased() == "content-type" }
            if login != .basic {
                let pair = Data("\(Setting.email):\(sentPassword(request))".utf8)
                todos.fields.append(
                    HTTPField("Authorization", "Basic \(pair.base64EncodedString())"))
            }
        case (.get, "notes", 1): todos.target = "/todos"
        case (.post, "notes", 2) where isPosted && path[1] == "search":
            todos.method = .get
            todos.target = "/todos"
            todos.body = nil
        case (.post, "notes", 1):
            todos.target = "/todos"
            todos.body = Self.bytes(["title": title(ofRow: request.body ?? [])])
            todos.fields = todos.fields.map { field in
                field.isNamed(keyName) ? HTTPField("Idempotency-Key", field.value) : field
            }
        case (_, "notes", let count) where count > 1:
            todos.method = .delete
            todos.target = "/todos/\(path[1])"
            todos.body = nil
            if deletesByPost, Self.object(request.body ?? [])["which"] == nil {
                todos.target = "/nothing"
            }
        default: todos.target = "/nothing"
        }
        return todos
    }

    private var keyName: String {
        if case .header(let name) = once { name } else { "" }
    }

    private func sentPassword(_ request: HTTPRequest) -> String {
        let body = request.body ?? []
        if login == .json { return Self.object(body)["secret"] as? String ?? "" }
        let pairs = String(decoding: body, as: UTF8.self).split(separator: "&")
        return pairs.first { $0.hasPrefix("secret=") }.map { String($0.dropFirst(7)) } ?? ""
    }

    /// The answer to `request` that says what the todo service's `answer` does. What is no answer of its own
    /// passes as it is.
    func answer(_ answer: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        var answer = answer
        let found = try? JSONSerialization.jsonObject(
            with: Data(answer.body), options: .fragmentsAllowed)
        switch found {
        case let rows as [Any]:
            let page = page(of: rows, for: request)
            var wrapped: Any = page.rows.map { row(of: $0) }
            for (depth, name) in listPath.enumerated().reversed() {
                var object: [String: Any] = [name: wrapped]
                if depth == 0, let next = page.next { object["after"] = next }
                wrapped = object
            }
            answer.body = Self.bytes(wrapped)
        case let object as [String: Any] where object["title"] != nil:
            answer.body = Self.bytes(wrapped(row(of: object)))
        case let object as [String: Any] where object["string"] != nil:
            answer.body = Self.bytes(["auth": ["token": object["string"]]])
        case _: break
        }
        return answer
    }

    /// The rows of a whole list that stand on the page that `request` asks for, and what leads to the next one.
    func page(of rows: [Any], for request: HTTPRequest) -> (rows: [Any], next: Int64?) {
        guard let pageSize else { return (rows, nil) }
        let after = Self.cursor(of: request)
        let rest = rows.filter { row in
            guard let after else { return true }
            return ((row as? [String: Any])?["id"] as? Int64).map { $0 > after } ?? false
        }
        guard rest.count > pageSize else { return (rest, nil) }
        let shown = Array(rest.prefix(pageSize))
        let last = shown.reversed().lazy.compactMap { ($0 as? [String: Any])?["id"] as? Int64 }
        return (shown, last.first)
    }

    /// Behind which id the page begins; nil for the first one.
    static func cursor(of request: HTTPRequest) -> Int64? {
        if request.target.hasSuffix("/search") {
            let page = object(request.body ?? [])["page"] as? [String: Any]
            return page?["after"] as? Int64
        }
        return request.target.split(separator: "?").dropFirst().first.flatMap { query in
            query.hasPrefix("after=") ? Int64(query.dropFirst(6)) : nil
        }
    }

    private func wrapped(_ row: [String: Any]) -> Any {
        rowPath.reversed().reduce(row as Any) { [$1: $0] }
    }

    /// The row of a todo.
    private func row(of todo: Any) -> [String: Any] {
        guard let todo = todo as? [String: Any] else { return [:] }
        var row: [String: Any] = ["seen_by": "the server"]
        row[idName] = todo["id"]
        guard let title = todo["title"] as? String else {
            // Somebody's, who has something else where every row of ours has a value.
            for path in extras.filter(\.isRequired).map(\.path) + [textPath] {
                Self.put(NSNull(), at: path, into: &row)
            }
            return row
        }
        let values = values(title)
        for (extra, value) in zip(extras, values) where !value.isEmpty {
            Self.put(extra.json(of: value), at: extra.path, into: &row)
        }
        Self.put(values[extras.count], at: textPath, into: &row)
        return row
    }

    /// The title of a row that a create sends.
    private func title(ofRow body: [UInt8]) -> String {
        let row = rowPath.reduce(Self.object(body)) { $0[$1] as? [String: Any] ?? [:] }
        let values = extras.map { extra in Self.value(at: extra.path, of: row).map(extra.text) ?? ""
        }
        let text = Self.value(at: textPath, of: row) as? String ?? ""
        return (values + [text]).joined(separator: String(Self.separator))
    }

    private static func object(_ body: [UInt8]) -> [String: Any] {
        let found = try? JSONSerialization.jsonObject(with: Data(body))
        return found as? [String: Any] ?? [:]
    }

    private static func value(at path: [String], of row: [String: Any]) -> Any? {
        guard let name = path.first, let value = row[name] else { return nil }
        guard path.count > 1 else { return value is NSNull ? nil : value }
        return Self.value(at: Array(path.dropFirst()), of: value as? [String: Any] ?? [:])
    }

    private static func put(_ value: Any, at path: [String], into row: inout [String: Any]) {
        guard path.count > 1 else { return row[path[0]] = value }
        var inner = row[path[0]] as? [String: Any] ?? [:]
        put(value, at: Array(path.dropFirst()), into: &inner)
        row[path[0]] = inner
    }

    /// Sorted, so that a seed repeats its run.
    static func bytes(_ value: Any) -> [UInt8] {
        let data = try? JSONSerialization.data(
            withJSONObject: value,
            options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
        return data.map { Array($0) } ?? []
    }
}

extension DrawnList.Extra {
    /// A value as the server has it.
    fileprivate func json(of text: String) -> Any {
        switch type {
        case "integer": Int64(text) ?? 0
        case "real": Double(text) ?? 0
        case "boolean": text == "1"
        case "json":
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
                ?? NSNull()
        default: text
        }
    }

    /// The text of a value that was sent: wrong ones are told apart from every right one.
    fileprivate func text(of value: Any) -> String {
        switch type {
        case "integer": (value as? Int64).map { String($0) } ?? "wrong"
        case "real": (value as? Double).map { String($0) } ?? "wrong"
        case "boolean": (value as? Bool).map { $0 ? "1" : "0" } ?? "wrong"
        case "json": String(decoding: DrawnList.bytes(value), as: UTF8.self)
        default: value as? String ?? "wrong"
        }
    }
}

/// The client of the list, with the login of its server.
extension DrawnList {
    func client(
        at baseURL: BaseURL, limits: RequestLimits, tokens: MemoryTokenStore,
        over transport: any Transport
    ) -> ListClient {
        let secrets = Secrets()
        let call = ServerLogin(
            baseURL: baseURL, path: "/session", fields: [], limits: limits,
            userAgent: "simulation", transport: transport, secrets: secrets)
        let form = form
        let session = LoginSession(of: Setting.email, at: baseURL, tokens: tokens) {
            () async throws(APIError) in
            try await call.tokens(
                user: Setting.email, password: Setting.password, as: form, at: "$.auth.token"
            ) { Self.token(in: $0).map { .init(token: $0) } }.token
        }
        return ListClient(
            baseURL: baseURL, credential: .login(session, refusal: 401), fields: [],
            limits: limits, userAgent: "simulation", transport: transport, secrets: secrets)
    }

    private var form: ServerLogin.Form {
        switch login {
        case .basic: .basic
        case .json: .json(Self.bytes(["name": Setting.email, "secret": Setting.password]))
        case .form: .form([("name", Setting.email), ("secret", Setting.password)])
        }
    }

    private static func token(in body: [UInt8]) -> String? {
        let answer = try? JSONSerialization.jsonObject(with: Data(body))
        let auth = (answer as? [String: Any])?["auth"] as? [String: Any]
        return auth?["token"] as? String
    }
}
