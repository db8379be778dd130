import FoundationEssentials

extension HTTPField {
    /// Name and password in a header. A colon in the name, which is `called` that in messages, would move
    /// the border to the password.
    ///
    /// Source: RFC 7617 §2.
    static func basic(
        _ name: String, _ password: String, called: String = "a user's name"
    ) throws(APIError) -> HTTPField {
        guard !name.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("\(called) with a colon cannot log in")
        }
        let pair = Data("\(name):\(password)".utf8).base64EncodedString()
        return HTTPField("Authorization", "Basic \(pair)")
    }
}
