package import APIClient
package import CCurl

/// What libcurl's result code means for us: pure, one table.
///
/// `wasReleased` decides whether the request may have arrived: before libcurl was let send,
/// every failure is one of the connection and nothing was sent.
package struct CurlFailure {
    /// libcurl's result.
    package var code: CURLcode
    /// libcurl's words about it.
    package var detail: String
    /// Whether libcurl was let send the request.
    package var wasReleased: Bool
    /// Whether the answer's header was seen to its end.
    package var headerIsComplete: Bool
    /// OpenSSL's verification result, 0 for none.
    package var verification: Int

    /// A failure to be judged.
    package init(
        code: CURLcode, detail: String, wasReleased: Bool, headerIsComplete: Bool,
        verification: Int
    ) {
        self.code = code
        self.detail = detail
        self.wasReleased = wasReleased
        self.headerIsComplete = headerIsComplete
        self.verification = verification
    }

    /// The error to throw.
    package var error: TransportError {
        wasReleased ? afterRelease : beforeRelease
    }

    private var beforeRelease: TransportError {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            .invalidRequest("libcurl cannot read the URL")
        case CURLE_PEER_FAILED_VERIFICATION: .untrusted(verificationReason)
        case CURLE_SSL_CACERT_BADFILE: .untrusted("the CA file cannot be read: \(words)")
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
            CURLE_USE_SSL_FAILED:
            .untrusted("TLS: \(words)")
        case CURLE_SSL_CONNECT_ERROR:
            tlsJudgedThePeer
                ? .untrusted("no common TLS 1.2 or newer: \(words)")
                : .cannotConnect("the connection broke during the TLS handshake: \(words)")
        case CURLE_COULDNT_RESOLVE_HOST: .cannotConnect("the name was not found: \(words)")
        case CURLE_OPERATION_TIMEDOUT: .cannotConnect("no connection in time: \(words)")
        default: .cannotConnect(words)
        }
    }

    private var afterRelease: TransportError {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            .notHTTP(words)
        case CURLE_BAD_CONTENT_ENCODING: .notHTTP("the body cannot be unpacked: \(words)")
        case CURLE_OPERATION_TIMEDOUT: .timedOut(mayHaveArrived: true)
        case Self.tooLarge where !headerIsComplete, CURLE_OUT_OF_MEMORY where !headerIsComplete:
            // libcurl's own limit for one line, which is never handed on.
            .headerTooLarge(limit: CurlTransfer.headerLimit)
        default: .interrupted(words, mayHaveArrived: true)
        }
    }

    /// `CURLE_TOO_LARGE`, which the headers of libcurl before 8.6 do not name.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// Verification results by OpenSSL's numbers, which do not change, in words for a person.
    private var verificationReason: String {
        switch verification {
        case 9: "the certificate is not valid yet; is this machine's clock right? (\(words))"
        case 10: "the certificate has expired; is this machine's clock right? (\(words))"
        case 18, 19: "the certificate is self-signed, or its authority is (\(words))"
        case 20, 21: "the certificate's authority is not known here (\(words))"
        default: "the certificate was refused: \(words)"
        }
    }

    /// Whether OpenSSL itself refused what the peer offers (protocol version, ciphers, an alert)
    /// rather than lost the connection. It then names an error number; 0x126 is the unexpected
    /// end of the connection. A libcurl over another TLS library names none.
    private var tlsJudgedThePeer: Bool {
        guard let start = detail.firstRange(of: "error:0A")?.upperBound else { return false }
        let number = detail[start...].prefix(6)
        return number.count == 6 && number.allSatisfy(\.isHexDigit) && number != "000126"
    }

    /// libcurl's words, short and without a control character.
    private var words: String {
        String(
            String.UnicodeScalarView(
                detail.unicodeScalars.prefix(200).filter {
                    !$0.properties.isDefaultIgnorableCodePoint
                }
                .map { (0x20...0x7E).contains($0.value) ? $0 : "?" }))
    }
}
