internal import Text

extension ListClient {
    /// An answer as it came, for who does not know the list yet.
    package struct Sighting: Sendable {
        /// Path and query that were answered, behind every redirect, without the credential.
        package let target: String
        /// The answer, whatever its status.
        package let response: HTTPResponse
        /// The checked bytes of a success that has some, or why there are none.
        package let content: Result<[UInt8], APIError>
    }

    /// Reads `target` once. Like a pull, it follows what redirects a read may follow, and asks once more if
    /// the server refuses the credential and there is another one.
    ///
    /// - Throws: ``APIError`` where there is no answer.
    package func look(at target: String) async throws(APIError) -> Sighting {
        let first = try await secret()
        let sighting = try await look(at: target, with: first)
        guard sighting.response.status == refusal,
            let second = try await renewed(otherThan: first)
        else { return sighting }
        return try await look(at: target, with: second)
    }

    private func look(at target: String, with secret: String) async throws(APIError) -> Sighting {
        let plain = request(for: target, validators: nil)
        let sent = try signed(plain, with: secret)
        let exchange = exchange(with: secret)
        let (last, response) = try await exchange.followed(sent)
        let content: Result<[UInt8], APIError>
        do throws(APIError) {
            content = .success(try exchange.data(of: response, to: last))
        } catch {
            content = .failure(error)
        }
        // A redirect may repeat the secret in its address, which is not to be written anywhere.
        let isPlain =
            last.target == sent.target || secrets.masked(foreign: last.target) != last.target
        return Sighting(
            target: isPlain ? target : last.target, response: response, content: content)
    }
}
