import APIClient

extension FuzzTarget {
    /// An answer as ``FuzzedAnswer`` reads it, to a pull; its header values are also read alone, as
    /// entity tag, date and base URL.
    ///
    /// Laws: requests stay at their origin, at most three redirects are followed, every target can
    /// go on the wire; a wait lies within its range; validators that were taken can be sent; what
    /// is read is read again from its own description; errors are safe and hold no secret.
    static let headers = FuzzTarget("headers") { bytes in
        guard let answer = FuzzedAnswer(bytes)?.response else { return }
        for field in answer.fields { try check(text: field.value) }
        if let wait = RetryAfter.wait(in: answer) {
            try require(RetryAfter.range.contains(wait), "a wait lies in its range: \(wait)")
        }
        try await pull(answer)
    }

    private static func pull(_ answer: HTTPResponse) async throws {
        let server = ScriptedAnswers { _ in answer }
        let client = MoviesClient(
            baseURL: try BaseURL("https://api.example.com/3"),
            credential: .bearer(FuzzWorld.token), limits: .standard, userAgent: "fuzz",
            transport: server)
        var validators: Validators?
        do {
            switch try await client.pullUpcoming(page: 1, validators: nil) {
            case .body(_, let found, _): validators = found
            case .notModified: throw BrokenLaw(description: "304 is no answer to a plain GET")
            }
        } catch let error as APIError {
            try Hazard.requireNone(in: error.description, "an error")
            try require(!error.description.contains(FuzzWorld.token), "an error holds no secret")
        }
        try requireTame(server.requests)
        guard let validators, !validators.isEmpty else { return }
        let request = try client.upcomingRequest(page: 1, validators: validators)
        try request.validate()
    }

    private static func requireTame(_ requests: [HTTPRequest]) throws {
        try require(requests.count <= 4, "at most three redirects: \(requests.count)")
        for request in requests {
            try request.validate()
            try require(
                request.origin.description == "https://api.example.com"
                    && request.target.hasPrefix("/") && !request.target.hasPrefix("//"),
                "a redirect stays where it was: \(request.url)")
            let segments = request.target.prefix { $0 != "?" }.split(separator: "/")
            try require(
                !segments.contains(".") && !segments.contains(".."), "no dots: \(request.target)")
        }
    }

    private static func check(text: String) throws {
        if let tag = EntityTag(text) {
            try require(EntityTag(tag.description) == tag, "a tag is itself again: \(tag)")
        }
        if let date = HTTPDate(text) {
            let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_800
            try require(range.contains(date.seconds), "a date of four digits: \(date)")
            let near = HTTPDate(text, near: HTTPDate(seconds: 1_800_000_000))
            try require(near != nil, "a reference decides a century, not a date")
        }
        if let id = ServerID(text) {
            let isSegment = id.percentEncoded.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && !"/?#".utf8.contains($0)
            }
            try require(isSegment, "an id is one segment: \(id.percentEncoded)")
        }
        let url: BaseURL
        do throws(BaseURLError) {
            url = try BaseURL(text)
        } catch {
            return try Hazard.requireNone(in: error.description + error.hint, "an error")
        }
        let shown = url.description
        let isPlain = shown.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !"@?#".utf8.contains($0)
        }
        let hasUser = url.origin.host.utf8.contains(UInt8(ascii: "@"))
        try require(
            (isPlain || shown.utf8.contains(UInt8(ascii: "@")) && !hasUser)
                && !shown.hasSuffix("/"),
            "a base URL is plain: \(shown)")
        let again: BaseURL
        do throws(BaseURLError) {
            again = try BaseURL(shown)
        } catch {
            throw BrokenLaw(description: "a base URL is one again: \(shown)")
        }
        try require(again == url && again.description == shown, "it is itself again: \(shown)")
    }
}
