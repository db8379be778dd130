import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("Answers that were damaged on the way", .timeLimit(.minutes(3)))
struct HostileAnswerTests {
    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1,2]",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nConnection: close\r\n\r\nnothing",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n\u{1F}\u{8B}abcdefg",
        "HTTP/1.1 304 Not Modified\r\nETag: W/\"x\"\r\n\r\n",
    ]

    /// Every damaged answer ends in an answer within the limits or in an error that does not
    /// claim that nothing was sent; the next request on the same transport is not disturbed.
    @Test(arguments: 0..<40) func `P18: a damaged answer never traps or leaks into the next`(
        seed: UInt64
    ) async throws {
        var random = SplitMix(state: seed)
        let damaged = (0..<10).map { _ in Self.damaged(&random) }
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                guard let number = Int(request.line.split(separator: " ")[1].dropFirst()) else {
                    connection.send("sound".answer)
                    continue
                }
                connection.send(damaged[number])
                return connection.finish()
            }
        }
        let transport = makeTransport()
        for number in damaged.indices {
            switch await transport.outcome(.to(server.port, .post, "/\(number)", maxBodyBytes: 50))
            {
            case .success(let answer):
                #expect((100...999).contains(answer.status))
                #expect(answer.body.count <= 50)
            case .failure(let error): #expect(error.mayHaveArrived)
            }
            #expect(try await transport.send(.to(server.port, .get, "/sound")).text == "sound")
        }
        let writes = server.received.map(\.line).filter { $0.hasPrefix("POST") }
        #expect(writes == damaged.indices.map { "POST /\($0) HTTP/1.1" })
    }

    private static func damaged(_ random: inout SplitMix) -> [UInt8] {
        var bytes = Array(answers[Int.random(in: answers.indices, using: &random)].utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2 where bytes.count > 1: bytes.remove(at: place)
            default: bytes.removeSubrange(max(1, place)...)
            }
        }
        return bytes
    }
}
