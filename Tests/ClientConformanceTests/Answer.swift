/// Answers as text for a socket.
enum Answer {
    /// A body with any status; `fields` are whole lines.
    static func json(_ body: String, _ status: Int, _ fields: String = "") -> String {
        "HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func redirect(to location: String, _ status: Int = 302) -> String {
        json("", status, "Location: \(location)\r\n")
    }
}
