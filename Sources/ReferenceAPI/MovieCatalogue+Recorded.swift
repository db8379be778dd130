import FoundationEssentials

/// Why given pages cannot be served.
public enum RecordedPagesError: Error, Sendable, Hashable {
    /// No page was given.
    case none
    /// The body in this place (from 0) is not a page of a movie list.
    case notAPage(place: Int)
    /// Two bodies are the same page of the list.
    case doubled(page: Int, place: Int)
    /// The numbers of the pages given do not run from 1 without a gap.
    case missing(page: Int)

    /// What to do next, as one sentence.
    public var hint: String {
        switch self {
        case .none, .missing: "Give every page of the list from page 1 on."
        case .notAPage: "Give files that hold one answer of the movie list each."
        case .doubled: "Give each page once."
        }
    }
}

extension RecordedPagesError: CustomStringConvertible {
    /// What is wrong with which body.
    public var description: String {
        switch self {
        case .none: "there is no recorded page"
        case .notAPage(let place): "recorded page no. \(place + 1) is not a page of a movie list"
        case .doubled(let page, let place):
            "recorded page no. \(place + 1) is page \(page) once more"
        case .missing(let page): "page \(page) is missing among the recorded pages"
        }
    }
}

extension MovieCatalogue {
    private struct Page {
        let envelope: Envelope
        let body: [UInt8]
        let members: TopLevelMembers
    }

    private struct Envelope: Decodable {
        let page: Int
        let results: [Row]
        let total_pages: Int
        let total_results: Int
    }

    /// Only counted: a recorded row is served whatever it is.
    private struct Row: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// A list of recorded pages, given in any order and served byte for byte.
    ///
    /// Where the pages say that there are more or fewer pages than were given, `total_pages` and
    /// `total_results` are made to fit those that were, so that a pull can be complete; nothing
    /// else is touched.
    public static func recorded(
        _ bodies: [[UInt8]]
    ) throws(RecordedPagesError) -> MovieCatalogue {
        guard !bodies.isEmpty else { throw .none }
        var found: [Int: Page] = [:]
        for (place, body) in bodies.enumerated() {
            // Whatever the decoder finds wrong, the answer is the same: this is not a page.
            guard let envelope = try? JSONDecoder().decode(Envelope.self, from: Data(body)),
                let members = TopLevelMembers(of: body)
            else { throw .notAPage(place: place) }
            guard found[envelope.page] == nil else {
                throw .doubled(page: envelope.page, place: place)
            }
            found[envelope.page] = Page(envelope: envelope, body: body, members: members)
        }
        var pages: [Page] = []
        for number in 1...bodies.count {
            guard let page = found[number] else { throw .missing(page: number) }
            pages.append(page)
        }
        if pages.allSatisfy({ $0.envelope.total_pages == pages.count }) {
            return MovieCatalogue(
                pages: pages.map(\.body), totalResults: pages[0].envelope.total_results)
        }
        let rows = pages.reduce(0) { $0 + $1.envelope.results.count }
        let fitting = ["total_pages": String(pages.count), "total_results": String(rows)]
        return MovieCatalogue(
            pages: pages.map { $0.members.replacing(fitting, in: $0.body) }, totalResults: rows)
    }
}
