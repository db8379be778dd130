internal import Declarations
internal import Host
internal import Rules
internal import Store

/// Tells how far a pull is, each minute that it takes.
struct LongPull {
    let engine: Synchronizer
    let name: ListName
    private var told: BootTime
    /// How many rows the first page has: all but the last have as many.
    private var rowsOfPage: Int64 = 0

    private static let interval = Duration.seconds(60)

    /// A pull that begins now.
    init(_ name: ListName, by engine: Synchronizer) {
        self.engine = engine
        self.name = name
        told = engine.time.bootTime()
    }

    /// A page has come, as one of so many.
    mutating func note(
        _ page: PageFacts, isFirst: Bool, of pages: Int
    ) async throws(StoreError) {
        if isFirst { rowsOfPage = page.rows }
        let now = engine.time.bootTime()
        guard now.elapsed(since: told) >= Self.interval else { return }
        told = now
        let progress = PullProgress(pages: Int64(pages), of: total(page))
        engine.tell(.stillPulling(name, progress))
        try await engine.store.note(progress, of: name)
    }

    private func total(_ page: PageFacts) -> Int64? {
        if let pages = page.totalPages { return pages }
        guard let rows = page.totalRows, rows > 0, rowsOfPage > 0 else { return nil }
        return (rows - 1) / rowsOfPage + 1
    }
}
