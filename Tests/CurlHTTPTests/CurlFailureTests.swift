import APIClient
import CCurl
import CurlHTTP
import Testing

@Suite("What libcurl's result codes mean")
struct CurlFailureTests {
    /// One line of the table.
    struct Line: Sendable, CustomTestStringConvertible {
        let code: CURLcode
        var detail = ""
        var header = false
        var verification = 0
        let kind: String
        var says = ""

        var testDescription: String {
            "\(code.rawValue)\(header ? ", after the header" : ""): \(kind)"
        }
    }

    private func error(_ line: Line, released: Bool) -> TransportError {
        CurlFailure(
            code: line.code, detail: line.detail, wasReleased: released,
            headerIsComplete: line.header, verification: line.verification
        ).error
    }

    /// Before libcurl was let send: nothing was sent, and most of it is no connection.
    private static let before = [
        Line(code: CURLE_URL_MALFORMAT, kind: "invalidRequest"),
        Line(code: CURLE_UNSUPPORTED_PROTOCOL, kind: "invalidRequest"),
        Line(code: CURLE_COULDNT_RESOLVE_PROXY, kind: "cannotConnect"),
        Line(code: CURLE_COULDNT_RESOLVE_HOST, kind: "cannotConnect", says: "name"),
        Line(code: CURLE_COULDNT_CONNECT, kind: "cannotConnect"),
        Line(code: CURLE_OPERATION_TIMEDOUT, kind: "cannotConnect", says: "in time"),
        Line(code: CURLE_SSL_CONNECT_ERROR, detail: "reset", kind: "cannotConnect"),
        Line(
            code: CURLE_SSL_CONNECT_ERROR, detail: "error:0A000126:SSL routines::unexpected eof",
            kind: "cannotConnect"),
        Line(
            code: CURLE_SSL_CONNECT_ERROR, detail: "error:0A000102:SSL routines::unsupported",
            kind: "untrusted", says: "TLS 1.2"),
        Line(code: CURLE_SSL_CONNECT_ERROR, detail: "error:0A00", kind: "cannotConnect"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 9, kind: "untrusted", says: "clock"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 10, kind: "untrusted",
            says: "expired"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 18, kind: "untrusted",
            says: "self-signed"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 19, kind: "untrusted",
            says: "self-signed"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 20, kind: "untrusted",
            says: "authority"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 21, kind: "untrusted",
            says: "authority"),
        Line(
            code: CURLE_PEER_FAILED_VERIFICATION, verification: 62, kind: "untrusted",
            says: "refused"),
        Line(code: CURLE_SSL_CACERT_BADFILE, kind: "untrusted", says: "CA file"),
        Line(code: CURLE_SSL_CERTPROBLEM, kind: "untrusted"),
        Line(code: CURLE_SSL_CIPHER, kind: "untrusted"),
        Line(code: CURLE_SSL_ISSUER_ERROR, kind: "untrusted"),
        Line(code: CURLE_SSL_PINNEDPUBKEYNOTMATCH, kind: "untrusted"),
        Line(code: CURLE_SSL_INVALIDCERTSTATUS, kind: "untrusted"),
        Line(code: CURLE_SSL_CLIENTCERT, kind: "untrusted"),
        Line(code: CURLE_USE_SSL_FAILED, kind: "untrusted"),
        Line(code: CURLE_OUT_OF_MEMORY, kind: "cannotConnect"),
        Line(code: CURLE_SEND_ERROR, kind: "cannotConnect"),
        Line(code: CURLE_RECV_ERROR, kind: "cannotConnect"),
        Line(code: CURLE_PROXY, kind: "cannotConnect"),
    ]

    /// After it: every error says that the request may have arrived.
    private static let after = [
        Line(code: CURLE_UNSUPPORTED_PROTOCOL, kind: "notHTTP"),
        Line(code: CURLE_WEIRD_SERVER_REPLY, kind: "notHTTP"),
        Line(code: CURLE_BAD_CONTENT_ENCODING, kind: "notHTTP", says: "unpacked"),
        Line(code: CURLE_OPERATION_TIMEDOUT, kind: "timedOut, sent"),
        Line(code: CURLE_OUT_OF_MEMORY, kind: "headerTooLarge 65536"),
        Line(code: CURLE_OUT_OF_MEMORY, header: true, kind: "interrupted, sent"),
        Line(code: CURLcode(rawValue: 100), kind: "headerTooLarge 65536"),
        Line(code: CURLcode(rawValue: 100), header: true, kind: "interrupted, sent"),
        Line(code: CURLE_HTTP2, kind: "interrupted, sent"),
        Line(code: CURLE_PARTIAL_FILE, kind: "interrupted, sent"),
        Line(code: CURLE_UPLOAD_FAILED, kind: "interrupted, sent"),
        Line(code: CURLE_SSL_CONNECT_ERROR, kind: "interrupted, sent"),
        Line(code: CURLE_ABORTED_BY_CALLBACK, kind: "interrupted, sent"),
        Line(code: CURLE_GOT_NOTHING, kind: "interrupted, sent"),
        Line(code: CURLE_SEND_ERROR, kind: "interrupted, sent"),
        Line(code: CURLE_RECV_ERROR, kind: "interrupted, sent"),
        Line(code: CURLE_SEND_FAIL_REWIND, kind: "interrupted, sent"),
        Line(code: CURLE_PEER_FAILED_VERIFICATION, kind: "interrupted, sent"),
        Line(code: CURLE_HTTP2_STREAM, kind: "interrupted, sent"),
    ]

    @Test(arguments: before) func `a failure before the request was let go`(line: Line) {
        let error = error(line, released: false)
        #expect(TransportError?.some(error).kind == line.kind)
        #expect(!error.mayHaveArrived)
        #expect(line.says.isEmpty || error.description.contains(line.says))
    }

    @Test(arguments: after) func `a failure after the request was let go`(line: Line) {
        let error = error(line, released: true)
        #expect(TransportError?.some(error).kind == line.kind)
        #expect(error.mayHaveArrived)
        #expect(line.says.isEmpty || error.description.contains(line.says))
    }

    /// For every code that there is or may come: only what happened before the request was let
    /// go says that it did not arrive.
    @Test func `no code of any libcurl claims too much`() {
        for number in 1...200 {
            for header in [false, true] {
                let line = Line(code: CURLcode(rawValue: UInt32(number)), header: header, kind: "")
                #expect(error(line, released: true).mayHaveArrived)
                #expect(!error(line, released: false).mayHaveArrived)
            }
        }
    }

    @Test func `libcurl's words are short, printable and on one line`() {
        let hostile = "a\u{1B}[2J\r\nä\u{202E}" + String(repeating: "x", count: 1000)
        let line = Line(code: CURLE_COULDNT_CONNECT, detail: hostile, kind: "")
        #expect(
            error(line, released: false)
                == .cannotConnect("a?[2J???" + String(repeating: "x", count: 191)))
    }
}
