import APIClient
import CCurl

/// Every option of a handle, in one place.
extension CurlTransfer {
    /// Sets all options; the first that libcurl refuses ends it.
    func configure() throws(TransportError) {
        try setCallbacks()
        try setMessage()
        try setConnection()
        try setTrust()
    }

    private func setCallbacks() throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try pointer(CURLOPT_PRIVATE, context)
        try pointer(CURLOPT_ERRORBUFFER, reason)
        try check(ccurl_on_header(curl.functions, easy, Self.onHeader, context))
        try check(ccurl_on_body(curl.functions, easy, Self.onBody, context))
        try check(ccurl_on_progress(curl.functions, easy, Self.onProgress, context))
        try check(ccurl_before_request(curl.functions, easy, Self.beforeRequest, context))
        try check(ccurl_on_open_socket(curl.functions, easy, Self.openSocket, context))
        let table = Unmanaged.passUnretained(sockets).toOpaque()
        try check(ccurl_on_close_socket(curl.functions, easy, Self.closeSocket, table))
    }

    private func setMessage() throws(TransportError) {
        try text(CURLOPT_URL, request.url)
        try number(CURLOPT_PATH_AS_IS, 1)
        try text(CURLOPT_PROTOCOLS_STR, "http,https")
        try number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try number(CURLOPT_HTTP09_ALLOWED, 0)
        try number(CURLOPT_FOLLOWLOCATION, 0)
        try text(CURLOPT_ACCEPT_ENCODING, "gzip")
        switch (request.method, request.body) {
        case (.get, nil): try number(CURLOPT_HTTPGET, 1)
        case (.delete, nil): try text(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        // A server expects a body of these three, and is told that there is none.
        case (.post, _), (.put, _), (.patch, _), (_, .some):
            let body = request.body ?? []
            try check(
                body.withUnsafeBytes {
                    ccurl_copy_body(curl.functions, easy, $0.baseAddress, curl_off_t($0.count))
                })
            try text(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        try setFields()
    }

    private func setFields() throws(TransportError) {
        var lines = request.fields.map { field in
            // libcurl's way to send a field without a value.
            field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        lines.append("Expect:")
        // libcurl would call any body a form.
        if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        for line in lines {
            guard let longer = curl.call.slist_append(fieldList, line) else {
                throw .cannotConnect("libcurl has no memory")
            }
            fieldList = longer
        }
        try pointer(CURLOPT_HTTPHEADER, fieldList)
    }

    private func setConnection() throws(TransportError) {
        try number(CURLOPT_NOSIGNAL, 1)
        try number(CURLOPT_QUICK_EXIT, 1)
        try number(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(settings.connectTimeout))
        try number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try number(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // The empty text also turns the environment's proxies off. Plain http goes to loopback
        // only, so a loopback origin must not be carried to a proxy.
        try text(CURLOPT_PROXY, request.origin.isLoopback ? "" : settings.proxy ?? "")
        try text(CURLOPT_NOPROXY, "")
        try number(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    }

    private func setTrust() throws(TransportError) {
        try number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try number(CURLOPT_SSL_VERIFYPEER, 1)
        try number(CURLOPT_SSL_VERIFYHOST, 2)
        try number(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try number(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try number(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        if let file = settings.caFile {
            try text(CURLOPT_CAINFO, file)
            try text(CURLOPT_PROXY_CAINFO, file)
            // libcurl would go on trusting the system's directory beside the file.
            try pointer(CURLOPT_CAPATH, nil)
            try pointer(CURLOPT_PROXY_CAPATH, nil)
            // Without a directory it would keep for a day what the file held.
            try number(CURLOPT_CA_CACHE_TIMEOUT, 0)
        }
    }

    // MARK: One kind of value each

    private func number(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(ccurl_set_long(curl.functions, easy, option, value))
    }

    private func text(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(ccurl_set_text(curl.functions, easy, option, value))
    }

    private func pointer(
        _ option: CURLoption, _ value: UnsafeMutableRawPointer?
    ) throws(TransportError) {
        try check(ccurl_set_pointer(curl.functions, easy, option, value))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            let why = curl.words(for: code) ?? "an error"
            throw .cannotConnect("\(curl.version) refused an option: \(why)")
        }
    }

    /// Whole milliseconds, at least one and at most what libcurl takes.
    private static func milliseconds(_ duration: Duration) -> Int {
        let bounded = min(max(duration, .milliseconds(1)), .seconds(86_400))
        let (seconds, attoseconds) = bounded.components
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
