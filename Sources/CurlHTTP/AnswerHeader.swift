package import APIClient

/// The header of an answer, fed line by line: pure, and the only judge of whether it is whole.
///
/// Interim answers (1xx) are passed over, trailers are ignored, and only the fields of the final
/// block are kept. Read leniently, as servers are: lines may end in LF alone, the reason phrase
/// and the space after a colon may be missing, bytes beyond ASCII become U+FFFD where they are no
/// UTF-8. A control character within a value becomes a space (RFC 9112 §2.2 asks that of a bare
/// CR), so that a value can be sent back as it is.
///
/// An answer is refused if it has a content coding other than one `gzip`, a transfer coding other
/// than one `chunked`, or two lengths that differ. libcurl undoes up to five codings on top of each
/// other, asked for or not. Each block is judged at its end, with all lines of a name together;
/// libcurl forgets the codings of an interim answer.
package struct AnswerHeader: Sendable {
    private let limit: Int
    private var bytesTaken = 0

    /// The final answer's status once its line was read; an interim one's until then.
    package private(set) var status: Int?
    /// In the order they came.
    package private(set) var fields: [HTTPField] = []
    /// Whether the empty line that ends the final block was seen.
    package private(set) var isComplete = false

    /// An empty header that takes at most `limit` bytes, trailers included.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes one line together with its line end.
    ///
    /// - Throws: `TransportError.headerTooLarge`, or `TransportError.notHTTP` in three cases: the
    ///   first line is not an HTTP/1 status line; the status is 101, for which no request here
    ///   asks; the block ends, and its codings or lengths are refused.
    package mutating func take(line: UnsafeRawBufferPointer) throws(TransportError) {
        guard line.count <= limit - bytesTaken else { throw .headerTooLarge(limit: limit) }
        bytesTaken += line.count
        guard !isComplete else { return }
        var end = line.count
        if end > 0, line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, line[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let text = line[..<end]
        guard let status else {
            try takeStatusLine(text)
            return
        }
        guard text.isEmpty else { return takeField(text) }
        try judgeFraming(status)
        if status < 200 {
            self.status = nil
            fields = []
        } else {
            isComplete = true
        }
    }

    private mutating func takeStatusLine(_ line: Slice<UnsafeRawBufferPointer>)
        throws(TransportError)
    {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count >= 2,
            parts[0].elementsEqual("HTTP/1.1".utf8)
                || parts[0].elementsEqual("HTTP/1.0".utf8),
            parts[1].count == 3, let status = Self.number(parts[1]), status >= 100
        else { throw .notHTTP("the answer does not begin with an HTTP/1 status line") }
        guard status != 101 else {
            throw .notHTTP("the server switched to another protocol, which syncd did not ask for")
        }
        self.status = status
    }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) {
        if let first = line.first, Self.isBlank(first) {
            // A continuation line (obsolete, RFC 9112 §5.2): one space and the rest.
            guard let last = fields.indices.last else { return }
            fields[last].value += " " + Self.text(line)
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return
        }
        fields.append(HTTPField(Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
    }

    // MARK: What the fields say

    private func judgeFraming(_ status: Int) throws(TransportError) {
        // Neither has a body, whatever its fields say (RFC 9112 §6.3).
        guard status != 204, status != 304 else { return }
        guard contentCodings.isEmpty || isGzip else {
            throw .notHTTP("it is encoded with something other than one gzip")
        }
        let transfer = members(of: "transfer-encoding")
        guard transfer.isEmpty || transfer.count == 1 && HTTPField.isSame(transfer[0], "chunked")
        else { throw .notHTTP("it has a transfer coding other than one chunked") }
        guard Set(members(of: "content-length")).count < 2 else {
            throw .notHTTP("it has two lengths")
        }
    }

    private var contentCodings: [String] { members(of: "content-encoding") }

    /// Whether the body came packed once, in the one coding that is asked for, by either name.
    private var isGzip: Bool {
        let codings = contentCodings
        return codings.count == 1
            && ["gzip", "x-gzip"].contains { HTTPField.isSame($0, codings[0]) }
    }

    /// The members of the lists of all lines of a name, without the coding `identity`, which
    /// changes nothing.
    private func members(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.utf8.split { $0 == UInt8(ascii: ",") || Self.isBlank($0) }
                .map { String(Substring($0)) }
        }.filter { !HTTPField.isSame($0, "identity") }
    }

    /// The one valid `Content-Length`, to know how much room to keep; libcurl does the framing.
    package var contentLength: Int? {
        values(of: "content-length").first.flatMap { Self.number($0.utf8) }
    }

    /// Whether the body came in a coding.
    package var isEncoded: Bool { !contentCodings.isEmpty }

    /// The fields that describe the body as it is handed on: without the coding that libcurl
    /// has undone, and the length it had.
    package var decodedFields: [HTTPField] {
        guard isGzip else { return fields }
        return fields.filter {
            !$0.isNamed("content-encoding") && !$0.isNamed("content-length")
        }
    }

    private func values(of name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !overflow, !carried else { return nil }
            value = sum
        }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let trimmed = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return String(
            decoding: trimmed.map { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F ? 0x20 : $0 },
            as: UTF8.self)
    }
}
