package import APIClient
internal import Declarations
package import SyncEngine
internal import Tables
internal import Text

extension ListSource {
    /// The upcoming movies of a server of the tests.
    package static func movies(
        at url: BaseURL, credential: MoviesCredential = .bearer("demo"), language: String? = nil,
        region: String? = nil, limits: RequestLimits, userAgent: String,
        over transport: any Transport, interval: Duration
    ) -> ListSource {
        let secret = HeldSecret { () throws(APIError) in credential.secret }
        let kind: ListCredential =
            switch credential {
            case .bearer: .bearer(secret)
            case .apiKey: .query(name: "api_key", secret)
            }
        return ListSource(
            table: ListTable(
                .movies(isEnabled: true, language: language, region: region, interval: interval)),
            client: ListClient(
                baseURL: url, credential: kind, fields: [], limits: limits, userAgent: userAgent,
                transport: transport, secrets: Secrets()),
            lanes: ServerLanes(most: 4))
    }
}
