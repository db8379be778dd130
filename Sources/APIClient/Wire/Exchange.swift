import FoundationEssentials
import Text

/// One call over a transport: the rules that hold for every answer of both APIs.
struct Exchange: Sendable {
    let transport: any Transport
    /// All that the process knows, not only those of this call.
    let secrets: Secrets
    /// Puts a credential of the query into the target of a redirect, which may name it or not.
    var signsTarget: (@Sendable (String) -> String)?

    /// Sends `request`, follows what redirects a GET may follow, and returns the answer whatever
    /// its status. A write is sent once and gets what it gets.
    func answer(to request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        try await followed(request).response
    }

    /// The same, and the request that was answered at last.
    func followed(
        _ request: HTTPRequest
    ) async throws(APIError) -> (last: HTTPRequest, response: HTTPResponse) {
        var request = request
        for _ in 0...RedirectRule.limit {
            let response = try await send(request)
            guard request.method == .get, RedirectRule.applies(to: response.status),
                let location = response.value(of: "Location")
            else { return (request, response) }
            guard response.fields.filter({ $0.isNamed("location") }).count == 1 else {
                throw .redirectRefused("it names more than one Location")
            }
            let target = try RedirectRule.target(of: location, from: request, without: secrets)
            request.target = signsTarget?(target) ?? target
        }
        throw .redirectRefused("more than \(RedirectRule.limit) redirects in a row")
    }

    /// A read of raw data: not empty and through ``BodyCheck``, or not modified.
    /// The extent has the numbers in the header fields `names`, too.
    func pull(
        _ request: HTTPRequest, naming names: [String] = []
    ) async throws(APIError) -> PullAnswer {
        let response = try await answer(to: request)
        if response.status == 304, request.isConditional {
            return .notModified(ListExtent(of: response, naming: names))
        }
        let body = try data(of: response, to: request)
        var validators = Validators(of: response)
        // What is kept is kept where others can read it.
        if let tag = validators.entityTag, secrets.masked(foreign: tag) != tag {
            validators.entityTag = nil
        }
        var extent = ListExtent(of: response, naming: names)
        extent.texts = extent.texts.filter { secrets.masked(foreign: $0.value) == $0.value }
        return .body(body, validators, extent)
    }

    /// The checked bytes of a success that must have some.
    func data(of response: HTTPResponse, to request: HTTPRequest) throws(APIError) -> [UInt8] {
        let body = try checkedBody(of: response, to: request)
        guard !body.isEmpty else { throw .emptyData }
        return body
    }

    /// Throws ``APIError/status(_:)`` for any status but a success. A read that brings a part is one if
    /// the part is a page of rows: PostgREST answers 206 to each page of a longer list.
    func requireSuccess(
        _ response: HTTPResponse, to request: HTTPRequest
    ) throws(APIError) {
        guard (200...299).contains(response.status),
            response.status != 206 || request.method != .get || ListExtent.isPage(response)
        else { throw .status(failure(of: response, to: request)) }
    }

    /// A write. Any success is one; the checked bytes of its answer, empty where it is no JSON.
    func write(_ request: HTTPRequest) async throws(APIError) -> WriteAnswer {
        let response = try await success(of: "a write", request)
        var body: [UInt8] = []
        do throws(APIError) { body = try checkedBody(of: response, to: request) } catch {
            // A success all the same.
        }
        return WriteAnswer(
            status: response.status, body: body, fields: response.fields,
            refusal: RefusalInSuccess.read(body, without: secrets))
    }

    private func success(
        of what: String, _ request: HTTPRequest
    ) async throws(APIError) -> HTTPResponse {
        let response = try await answer(to: request)
        try requireSuccess(response, to: request)
        let first = response.body.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        guard first != UInt8(ascii: "<") else {
            throw .malformed("expected an answer to \(what), found a page of HTML")
        }
        return response
    }

    /// The checked bytes of a success, empty where there are none.
    func checkedBody(
        of response: HTTPResponse, to request: HTTPRequest
    ) throws(APIError) -> [UInt8] {
        try requireSuccess(response, to: request)
        // These two have no content, whatever follows (RFC 9110 §15.3.5, §15.3.6).
        guard response.status != 204, response.status != 205, !response.body.isEmpty else {
            return []
        }
        if let coding = response.value(of: "Content-Encoding")?.trimmedHeader,
            !coding.isEmpty, !HTTPField.isSame(coding, "identity")
        {
            let shown = secrets.mended(foreign: coding, maxBytes: 40)
            throw .malformed("it is encoded as \(shown), which was not asked for")
        }
        var body = response.body
        do {
            try BodyCheck.run(&body, maxDepth: BodyCheck.standardDepth)
        } catch {
            throw .malformed(error.description)
        }
        return body
    }

    private func send(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        do {
            return try await transport.send(request)
        } catch {
            throw .transport(error.mended(by: secrets))
        }
    }

    private func failure(of response: HTTPResponse, to request: HTTPRequest) -> StatusFailure {
        StatusFailure(
            code: response.status,
            reason: pointer(of: response, to: request)
                ?? FailureReason.read(
                    response.body, ofType: response.value(of: "Content-Type"), without: secrets),
            retryAfter: RetryAfter.wait(in: response),
            endpoint: secrets.masked(foreign: request.description),
            movedTo: newTarget(of: response, to: request))
    }

    /// Where a redirect that is not followed points: what the person has to write instead.
    private func pointer(of response: HTTPResponse, to request: HTTPRequest) -> String? {
        location(of: response, to: request).map {
            "it points to " + secrets.mended(foreign: $0.trimmedHeader, maxBytes: 200)
        }
    }

    /// The same as a target; nil where it leads to another server or cannot be read.
    private func newTarget(of response: HTTPResponse, to request: HTTPRequest) -> String? {
        guard let location = location(of: response, to: request),
            secrets.masked(foreign: location) == location
        else { return nil }
        // Why it is none is no matter: the reason has it as it came.
        return try? RedirectRule.target(of: location, from: request, without: secrets)
    }

    private func location(of response: HTTPResponse, to request: HTTPRequest) -> String? {
        guard request.method.isWrite, RedirectRule.applies(to: response.status) else { return nil }
        return response.value(of: "Location")
    }
}

extension HTTPRequest {
    /// Whether the server may answer that nothing changed.
    fileprivate var isConditional: Bool {
        fields.contains { ["if-none-match", "if-modified-since"].contains($0.name.lowercased()) }
    }
}
