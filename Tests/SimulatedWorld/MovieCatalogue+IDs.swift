import Foundation
import ReferenceAPI

extension MovieCatalogue {
    private struct Envelope: Decodable {
        struct Row: Decodable { let id: Int64 }
        let results: [Row]
    }

    /// The ids on all pages.
    var ids: [Int64] {
        pages.flatMap { page in
            // The catalogue is our own; a page that cannot be read shows as a difference.
            (try? JSONDecoder().decode(Envelope.self, from: Data(page)))?.results.map(\.id) ?? []
        }
    }
}
