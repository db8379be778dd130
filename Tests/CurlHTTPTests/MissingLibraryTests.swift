import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("A library that is missing", .timeLimit(.minutes(3)))
struct MissingLibraryTests {
    private func makeTransport(_ library: String) -> CurlTransport {
        CurlTransport(
            CurlSettings(
                connectTimeout: .seconds(10), proxy: nil, caFile: nil, maxConnectionsPerHost: 4),
            library: library)
    }

    /// One that is not there, and one that is there and is not libcurl.
    @Test(arguments: [
        ("libcurl-of-nobody.so.4", "libcurl-of-nobody.so.4"), ("libm.so.6", "curl_global_init"),
    ])
    func `fails each request, sends nothing and says what to install`(
        library: String, named: String
    ) async throws {
        let server = try HostileServer.answering("[]".answer)
        let transport = makeTransport(library)
        for _ in 0..<3 {
            let error = try #require(await transport.failure(.to(server.port, .post, "/todos")))
            #expect(TransportError?.some(error).kind == "missingLibrary")
            #expect(error.description.contains(named))
            #expect(error.hint.contains("libcurl4"))
            #expect(!error.mayHaveArrived)
        }
        await transport.shutdown()
        #expect(server.count == 0)
    }

    @Test func `a transport without a request looks for none`() async {
        let transport = makeTransport("libcurl-of-nobody.so.4")
        await transport.shutdown()
        #expect(
            await transport.failure(.to(1, .get, "/"))
                == .cancelled(mayHaveArrived: false))
    }

    @Test func `the version is the library's own`() throws {
        #expect(try CurlTransport.libraryVersion().hasPrefix("libcurl/"))
    }
}
