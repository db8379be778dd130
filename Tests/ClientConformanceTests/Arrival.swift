import APIClient
import HostileHTTP

/// A request as the far end saw it.
struct Arrival: Sendable, Equatable {
    let line: String
    /// In the order of their names, the names in lower case.
    let fields: [String]
    let body: String

    init(line: String, fields: [String], body: String) {
        self.line = line
        self.fields = fields.sorted()
        self.body = body
    }

    init(_ request: HTTPRequest) {
        self.init(
            line: "\(request.method.rawValue) \(request.target)",
            fields: request.fields.map { "\($0.name.lowercased()): \($0.value)" },
            body: String(decoding: request.body ?? [], as: UTF8.self))
    }

    init(_ received: HostileServer.Received) {
        self.init(
            line: received.line.split(separator: " ").prefix(2).joined(separator: " "),
            fields: received.fields.map { field in
                let parts = field.split(separator: ":", maxSplits: 1)
                return parts[0].lowercased() + ":" + parts.dropFirst().joined()
            }, body: received.body)
    }

    /// What a step of a call must look like there; each transport adds fields of its own, all of
    /// them named here.
    init(_ step: Call.Step, over network: Network, to baseURL: BaseURL) {
        // URLSession names the length of nothing for a DELETE too, which RFC 9110 §8.6 allows.
        let isEmptyDelete = network == .urlSession && step.method == .delete
        let host = "\(baseURL.origin.host):\(baseURL.origin.port)"
        let length =
            step.body.map(\.utf8.count) ?? (step.method == .post || isEmptyDelete ? 0 : nil)
        let framing = ["host: \(host)"] + (length.map { ["content-length: \($0)"] } ?? [])
        let own: [String] =
            switch network {
            case .mock: []
            case .urlProtocol: ["accept-encoding: gzip"]
            case .curl: framing + ["accept: */*", "accept-encoding: gzip"]
            case .urlSession:
                framing + [
                    "accept: */*", "accept-encoding: gzip", "accept-language: en",
                    "connection: keep-alive",
                ]
            }
        self.init(
            line: "\(step.method.rawValue) \(step.target)",
            fields: step.fields.map { "\($0.name.lowercased()): \($0.value)" } + own,
            body: step.body ?? "")
    }
}
