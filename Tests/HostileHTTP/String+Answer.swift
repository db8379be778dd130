extension String {
    /// The text as a body with its length.
    package var answer: String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(utf8.count)\r\n\r\n\(self)"
    }
}
