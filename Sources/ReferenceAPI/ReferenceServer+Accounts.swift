import APIClient
import FoundationEssentials

/// An answer that ends the handling of a request before it began.
struct Refused: Error {
    let answer: HTTPResponse
}

/// Sign-up, login and tokens.
extension ReferenceServer {
    private struct SignUp: Decodable {
        let name: String
        let email: String
        let password: String
        let verifyPassword: String
    }

    mutating func signUp(_ request: HTTPRequest) -> HTTPResponse {
        let form: SignUp
        switch Self.decoded(SignUp.self, from: request) {
        case .success(let decoded): form = decoded
        case .failure(let refused): return refused.answer
        }
        guard !form.name.isEmpty else { return Self.refusal(400, "name is empty") }
        guard form.email.contains("@") else {
            return Self.refusal(400, "email is not a valid email address")
        }
        guard !form.email.contains(":") else {
            // Basic credentials end the user's name at the first colon (RFC 7617 §2).
            return Self.refusal(400, "email holds a colon")
        }
        guard !form.password.isEmpty else { return Self.refusal(400, "password is empty") }
        guard form.password == form.verifyPassword else {
            return Self.refusal(400, "Passwords did not match")
        }
        guard let id = addUser(name: form.name, email: form.email, password: form.password) else {
            return Self.refusal(400, "A user with this email exists already")
        }
        return Self.json(
            200,
            .object([
                ("id", Self.value(of: id)), ("email", .string(form.email)),
                ("name", .string(form.name)),
            ]))
    }

    mutating func logIn(_ request: HTTPRequest, at seconds: Int64) -> HTTPResponse {
        guard let credentials = Self.credentials("basic", of: request),
            let bytes = Data(base64Encoded: credentials),
            let pair = String(validating: bytes, as: UTF8.self),
            let colon = pair.firstIndex(of: ":"),
            let user = state.user(email: String(pair[..<colon])),
            user.password == String(pair[pair.index(after: colon)...])
        else { return Self.refusal(401, "Unauthorized") }
        var random = SeededGenerator(seed: behaviour.seed, number: state.rowsMade)
        let string = Data(random.bytes(16)).base64EncodedString()
        let token = ReferenceState.Token(string: string, user: user.id, issuedAt: seconds)
        change(.tokenAdded(token))
        let (end, overflow) = seconds.addingReportingOverflow(behaviour.tokenLifetimeSeconds)
        let expiry = Date(timeIntervalSince1970: Double(overflow ? seconds : end))
        return Self.json(
            200,
            .object([
                ("id", .integer(Int64(state.tokens.count))), ("string", .string(string)),
                ("userID", Self.value(of: user.id)),
                ("expiresAt", .string(expiry.formatted(.iso8601))),
            ]))
    }

    /// The user of the request's Bearer token, or the 401 for a missing, unknown or expired one.
    func owner(of request: HTTPRequest, at seconds: Int64) -> Result<ReferenceState.User, Refused> {
        guard let string = Self.credentials("bearer", of: request),
            let token = state.tokens.last(where: { $0.string == string }),
            let user = state.users.first(where: { $0.id == token.user })
        else { return .failure(Refused(answer: Self.refusal(401, "Unauthorized"))) }
        let (age, overflow) = seconds.subtractingReportingOverflow(token.issuedAt)
        guard !overflow, age < behaviour.tokenLifetimeSeconds else {
            return .failure(Refused(answer: Self.refusal(401, "Unauthorized")))
        }
        return .success(user)
    }

    /// What follows the scheme in `Authorization`; schemes are compared without case.
    static func credentials(_ scheme: String, of request: HTTPRequest) -> String? {
        guard let field = request.fields.first(where: { $0.name.lowercased() == "authorization" })
        else { return nil }
        let parts = field.value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(parts[1])
    }

    /// The JSON body as `Form`; 415 for another type of content, 400 with the place that is wrong.
    static func decoded<Form: Decodable>(
        _ form: Form.Type, from request: HTTPRequest
    ) -> Result<Form, Refused> {
        let type = request.fields.first { $0.name.lowercased() == "content-type" }?.value
        let media = type?.split(separator: ";").first?.split(separator: " ").first?.lowercased()
        guard media == "application/json" else {
            return .failure(Refused(answer: refusal(415, "Unsupported Media Type")))
        }
        do {
            return .success(try JSONDecoder().decode(form, from: Data(request.body ?? [])))
        } catch let error as DecodingError {
            return .failure(Refused(answer: refusal(400, reason(of: error))))
        } catch {
            return .failure(Refused(answer: refusal(400, "Bad Request")))
        }
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\(key.stringValue) is required"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.last.map { "\($0.stringValue) has the wrong type" }
                ?? "the body is not a JSON object"
        case .dataCorrupted: "the body is not valid JSON"
        @unknown default: "Bad Request"
        }
    }

    static func value(of id: ReferenceID) -> JSONOutput {
        switch id {
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}
