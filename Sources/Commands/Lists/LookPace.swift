internal import APIClient
internal import Declarations
internal import Host
internal import SyncEngine

/// The pace of a server that is looked at: one request at a time, and no more than it takes.
struct LookPace: Sendable {
    private let lanes = ServerLanes(most: 1)
    private let name: ListName
    private let time: any TimeSource
    private let stop = StopSignal()

    /// The pace of the server of the list `name`.
    init(of name: ListName, time: any TimeSource) {
        self.name = name
        self.time = time
    }

    /// `transport`, whose answers say what the server takes.
    func listening(to transport: any Transport) -> any Transport {
        PacingTransport(transport, lanes: lanes, time: time)
    }

    /// Reads when it is time, and again if the server was asked too early.
    func read<Answer>(
        _ read: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        try await lanes.read(of: name, by: time, until: stop) { () async throws(APIError) in
            try await read()
        }
    }
}
