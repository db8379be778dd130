internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables
internal import Text

/// Reads the pages of a list into the cache's staging table, as ``PageWalk`` says.
struct PageReader {
    let engine: Synchronizer
    let source: ListSource
    /// How much of the list is asked for.
    let scope: PullScope
    /// The address of what is asked for, below the base URL.
    let list: String
    /// The number of its first page among those of all parts.
    var firstPage = 1
    /// Of a list that programs write to: an answer may say that nothing has changed.
    let maySayUnchanged: Bool
    /// Called when a page has been staged and others are to come, with the number of pages up to which all have come.
    let pageCame: @Sendable (Int) -> Void

    var table: ListTable { source.table }
    var declaration: Declaration { source.table.declaration }

    /// A page that is to be read.
    struct Wanted: Sendable {
        let index: Int
        let request: PageWalk.Request
        /// The target of the page that told of it.
        let from: String?
        /// The cache does not have it any more: it is wanted whole.
        var isLost = false
    }

    /// What came for it.
    struct Answered: Sendable {
        let wanted: Wanted
        let target: String
        let url: String
        /// The version that the cache has.
        let stored: StoredValidators?
        let answer: PullAnswer
        /// Held until the page is staged.
        let share: BodyShare
        let came: BootTime
    }

    /// How a page came.
    enum PageRead: Sendable {
        case answered(Answered)
        /// It says that it is unchanged, and the cache has lost it.
        case lost(Wanted)
        case page(
            index: Int, target: String, PublishedPage, came: BootTime, tellsNextWhenUnchanged: Bool)
        /// Of a list that programs write to: it is as at the last pull; its rows, where they are known.
        case unchanged(Int64?)
        case failed(CycleFailure)
        /// It is refused, or is none: behind the end of a list, servers answer so.
        case refused(CycleFailure)
        case broken(StoreError)

        /// The same page, behind which another one was asked for.
        fileprivate var followed: PageRead {
            guard case .page(let index, let target, var page, let came, let tellsNext) = self else {
                return self
            }
            page.facts.isFollowed = true
            return .page(
                index: index, target: target, page, came: came, tellsNextWhenUnchanged: tellsNext)
        }
    }

    /// What came.
    enum Outcome {
        /// The pages, in their order, and when the oldest of them came.
        case pages([PublishedPage], came: BootTime)
        /// The list is as at the last pull; the number of its rows, where it is known.
        case unchanged(Int64?)
        case failed(CycleFailure)
    }

    /// Reads the list; the first failure ends the pull.
    func run() async throws(StoreError) -> Outcome {
        let results = await withTaskGroup(of: PageRead.self) { group in
            await self.reads(in: &group)
        }
        var pages: [PublishedPage] = []
        var oldest = engine.time.bootTime()
        for read in results {
            switch read {
            case .page(_, _, let page, let came, _):
                pages.append(page)
                if oldest.isAhead(of: came) { oldest = came }
            case .unchanged(let rows): return .unchanged(rows)
            case .failed(let failure), .refused(let failure): return .failed(failure)
            case .broken(let error): throw error
            case .answered, .lost: break
            }
        }
        return .pages(pages.sorted { $0.number < $1.number }, came: oldest)
    }

    /// Pages come side by side, and are staged one after the other. Ends early, with the failure alone, when a page
    /// cannot be read or the list gets too long.
    private func reads(in group: inout TaskGroup<PageRead>) async -> [PageRead] {
        var walk = PageWalk(declaration.paging)
        var waiting: [Wanted] = []
        var next = 0
        func enqueue(_ requests: [PageWalk.Request], from page: String?) {
            for request in requests {
                waiting.append(Wanted(index: next, request: request, from: page))
                next += 1
            }
        }
        enqueue([walk.begin()], from: nil)
        var reads: [PageRead] = []
        var bytes = 0
        var underWay = 0
        var came: Set<Int> = []
        var whole = 0
        var tellsNextWhenUnchanged = false
        var long = LongPull(declaration.name, by: engine)
        while true {
            while underWay < source.lanes.most, !waiting.isEmpty {
                let page = waiting.removeFirst()
                underWay += 1
                group.addTask { [tellsNextWhenUnchanged] in
                    await read(page, tellsNextWhenUnchanged: tellsNextWhenUnchanged)
                }
            }
            guard underWay > 0, var read = await group.next() else {
                return next > 1 && reads.count == 1 ? reads.map(\.followed) : reads
            }
            underWay -= 1
            if case .answered(let answered) = read { read = await take(answered) }
            if case .lost(let page) = read {
                waiting.insert(page, at: 0)
                continue
            }
            if case .refused = read, walk.hasAllRows { continue }
            guard case .page(let index, let target, let page, _, let toldNext) = read else {
                group.cancelAll()
                return [read]
            }
            tellsNextWhenUnchanged = tellsNextWhenUnchanged || toldNext
            bytes += page.facts.bytes
            // What bounds one answer bounds the list, too, or 100 000 of them would have 100 000 times as much.
            let limit = source.client.limits.maxListBytes
            guard bytes <= limit else {
                group.cancelAll()
                return [.failed(CycleFailure(pull: .transport(.bodyTooLarge(limit: limit))))]
            }
            do throws(PageWalk.Failure) {
                enqueue(try walk.take(PageWalk.Page(page.facts), at: index), from: target)
            } catch {
                group.cancelAll()
                return [.failed(CycleFailure(error, of: declaration.name))]
            }
            // A page without a new row is the end, and tells nothing.
            if index == 0 || page.facts.newRows > 0 { reads.append(read) }
            engine.tell(.pulled(pages: reads.count, of: max(next, reads.count)))
            do throws(StoreError) {
                try await long.note(page.facts, isFirst: index == 0, of: reads.count)
            } catch {
                group.cancelAll()
                return [.broken(error)]
            }
            came.insert(index)
            while came.contains(whole) { whole += 1 }
            if underWay > 0 || !waiting.isEmpty { pageCame(whole) }
        }
    }

    private func read(_ page: Wanted, tellsNextWhenUnchanged: Bool) async -> PageRead {
        guard !engine.stop.isStopping else {
            return .failed(CycleFailure(pull: .transport(.cancelled(mayHaveArrived: false))))
        }
        let asked: Page
        let url: String
        do {
            asked = try self.page(page.request, from: page.from)
            let address = try source.client.page(of: asked.target)
            url = asked.place.isEmpty ? address : "\(address)#\(asked.place)"
        } catch {
            return .failed(CycleFailure(pull: error))
        }
        let stored: StoredValidators?
        do {
            stored = page.isLost ? nil : try await storedPage(url, tellsNextWhenUnchanged)
        } catch {
            return .broken(error)
        }
        let share = engine.bodies.share()
        do throws(APIError) {
            let answer = try await source.read(
                asked.target, body: asked.body, validators: stored.map(Validators.init),
                naming: declaration.paging.headers + [tokenHeader].compactMap { $0 }, for: engine,
                page.index == 0 ? .brief : persistence, share: share)
            return .answered(
                Answered(
                    wanted: page, target: asked.target, url: url, stored: stored, answer: answer,
                    share: share, came: engine.time.bootTime()))
        } catch {
            let failure = CycleFailure(pull: error, isFirstPage: page.index == 0)
            return page.index > 0 && error.isOfMissingPage ? .refused(failure) : .failed(failure)
        }
    }

    /// The header field with the text from which the next increment asks.
    var tokenHeader: String? { declaration.since?.moment.headerName }

    /// The pages before are kept for as long.
    private var persistence: Persistence { .lasting(source.client.limits.timeout * 10) }

    /// Of a list that programs write to, a page is read whole as long as something was sent that it may not show yet.
    private func storedPage(
        _ url: String, _ tellsNextWhenUnchanged: Bool
    ) async throws(StoreError) -> StoredValidators? {
        // Only a `GET` has validators.
        guard scope.isWhole, declaration.listBody == nil,
            source.writing == nil || maySayUnchanged
        else { return nil }
        let stored = try await engine.store.storedPage(url: url, of: table)
        // An answer that is the same to the byte can have got a next page, which stands in its header alone. Not all
        // servers tell it in an answer that says "unchanged".
        if declaration.paging.namesNextInHeader, !tellsNextWhenUnchanged,
            let rows = stored?.rowsOfLast,
            mayBeFull(rows)
        {
            return nil
        }
        return stored
    }

    /// Whether a page of so many rows can be as long as pages are: that is a round number, if the list's address does
    /// not say it.
    private func mayBeFull(_ rows: Int64) -> Bool {
        let lengths = ["per_page", "limit", "page_size", "pageSize", "size"]
        for parameter in declaration.list.split(separator: "?").last?.split(separator: "&") ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, lengths.contains(String(parts[0])), let length = Int64(parts[1])
            else { continue }
            return rows >= length
        }
        return rows >= 10 && (rows % 5 == 0 || rows & (rows - 1) == 0)
    }
}

extension APIError {
    /// Whether servers answer so where there is no such page.
    fileprivate var isOfMissingPage: Bool {
        guard case .status(let failure) = self else { return false }
        return [400, 404, 416].contains(failure.code)
    }
}

extension PageWalk.Page {
    fileprivate init(_ facts: PageFacts) {
        self.init(
            rows: facts.rows, newRows: facts.newRows, next: facts.next,
            totalPages: facts.totalPages, totalRows: facts.totalRows)
    }
}
