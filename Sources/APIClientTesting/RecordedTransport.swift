public import APIClient
import FoundationEssentials

/// A transport that replays recorded JSON files by path.
///
/// `GET /3/movie/upcoming?page=2` is answered from `3/movie/upcoming?page=2.json` in its
/// directory, else from `3/movie/upcoming.json`; a query is compared as it is written. A request
/// of another method is looked for under `POST/…` and `DELETE/…`. A request without a file fails with
/// `TransportError.invalidRequest` that names it, and is reported to `onUnexpected`: hand in
/// `{ Issue.record("\($0)") }` to make the test fail.
public struct RecordedTransport: Transport {
    private let directory: String
    private let onUnexpected: @Sendable (String) -> Void

    /// Replays the files below `directory`.
    public init(directory: String, onUnexpected: @escaping @Sendable (String) -> Void) {
        self.directory = directory
        self.onUnexpected = onUnexpected
    }

    /// Answers 200 with the file's bytes.
    ///
    /// - Throws: `TransportError.invalidRequest` where there is no file, or the path would
    ///   leave the directory.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let path = request.target.prefix { $0 != "?" }
        let segments = request.target.split(separator: "/", omittingEmptySubsequences: true)
        guard !segments.contains(where: { $0 == "." || $0 == ".." }) else {
            throw .invalidRequest("the path leaves the directory of recordings")
        }
        let root = directory + (request.method == .get ? "" : "/" + request.method.rawValue)
        for name in [request.target, String(path)] {
            let url = URL(filePath: root + name + ".json")
            // A file that is missing or cannot be read is no recording; the next name is tried.
            guard let data = try? Data(contentsOf: url) else { continue }
            let type = HTTPField("Content-Type", "application/json")
            return HTTPResponse(status: 200, fields: [type], body: Array(data))
        }
        let name = "no recording for \(request.method.rawValue) \(request.target)"
        onUnexpected(name)
        throw .invalidRequest(name)
    }
}
