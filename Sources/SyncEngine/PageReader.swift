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
    /// Of a list that programs write to: an answer may say that nothing has changed.
    let maySayUnchanged: Bool
    /// Called when a page has been staged and others are to come, with the number of pages up to which all have come.
    let pageCame: @Sendable (Int) -> Void

    private var table: ListTable { source.table }
    var declaration: Declaration { source.table.declaration }

    /// How a page came.
    private enum PageRead: Sendable {
        case page(
            index: Int, target: String, PublishedPage, came: BootTime, tellsNextWhenUnchanged: Bool)
        /// Of a list that programs write to: it is as at the last pull; its rows, where they are known.
        case unchanged(Int64?)
        case failed(CycleFailure)
        /// It is refused, or is none: behind the end of a list, servers answer so.
        case refused(CycleFailure)
        case broken(StoreError)
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
            }
        }
        return .pages(pages.sorted { $0.number < $1.number }, came: oldest)
    }

    /// Ends early, with the failure alone, when a page cannot be read or the list gets too long.
    private func reads(in group: inout TaskGroup<PageRead>) async -> [PageRead] {
        var walk = PageWalk(declaration.paging)
        var waiting: [(index: Int, request: PageWalk.Request, from: String?)] = []
        var next = 0
        func enqueue(_ requests: [PageWalk.Request], from page: String?) {
            for request in requests {
                waiting.append((next, request, page))
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
                let (index, request, page) = waiting.removeFirst()
                underWay += 1
                group.addTask { [tellsNextWhenUnchanged] in
                    await read(
                        request, index: index, from: page,
                        tellsNextWhenUnchanged: tellsNextWhenUnchanged)
                }
            }
            guard underWay > 0, let read = await group.next() else { return reads }
            underWay -= 1
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

    private func read(
        _ request: PageWalk.Request, index: Int, from page: String?, tellsNextWhenUnchanged: Bool
    ) async -> PageRead {
        do throws(StoreError) {
            guard !engine.stop.isStopping else {
                return .failed(CycleFailure(pull: .transport(.cancelled(mayHaveArrived: false))))
            }
            let target: String
            let url: String
            do {
                target = try self.target(of: request, from: page)
                url = try source.client.page(of: target)
            } catch {
                return .failed(CycleFailure(pull: error))
            }
            var stored = try await storedPage(url, tellsNextWhenUnchanged)
            while true {
                let answer: PullAnswer
                do {
                    answer = try await source.read(
                        target, validators: stored.map(Validators.init),
                        naming: declaration.paging.headers, for: engine,
                        index == 0 ? .brief : persistence)
                } catch {
                    let failure = CycleFailure(pull: error, isFirstPage: index == 0)
                    return index > 0 && error.isOfMissingPage ? .refused(failure) : .failed(failure)
                }
                let came = engine.time.bootTime()
                guard let read = try await take(answer, of: url, index: index, stored) else {
                    // The cache has lost it meanwhile.
                    stored = nil
                    continue
                }
                switch read {
                case .unchanged(let rows): return .unchanged(rows)
                case .page(let page, let toldNext):
                    return .page(
                        index: index, target: target, page, came: came,
                        tellsNextWhenUnchanged: toldNext)
                }
            }
        } catch {
            guard case .unusableBody(let text) = error else { return .broken(error) }
            let failure = CycleFailure(
                unusable: text, of: declaration.name, without: source.client.secrets)
            return index > 0 ? .refused(failure) : .failed(failure)
        }
    }

    private enum Taken {
        case unchanged(Int64?)
        /// Whether an answer that says nothing but "unchanged" has told of a next page.
        case page(PublishedPage, toldNext: Bool)
    }

    /// Stages what an answer shows; nil where it says that the page is unchanged, and it is not in the cache.
    private func take(
        _ answer: PullAnswer, of url: String, index: Int, _ stored: StoredValidators?
    ) async throws(StoreError) -> Taken? {
        let number = index + 1
        switch answer {
        case .notModified where source.writing != nil && declaration.paging.isOneAnswer:
            try await engine.store.confirm(table)
            return .unchanged(nil)
        case .notModified(let extent):
            guard
                var facts = try await engine.store.stageUnchanged(
                    url: url, page: number, of: table)
            else { return nil }
            facts.addUnchanged(extent, paging: declaration.paging)
            leaveOutCredential(&facts)
            let validators = stored ?? StoredValidators(entityTag: nil, lastModified: nil)
            return .page(
                PublishedPage(number: number, url: url, validators: validators, facts: facts),
                toldNext: extent.next != nil)
        case .body(let body, let validators, let extent):
            if source.writing != nil, maySayUnchanged,
                let rows = try await engine.store.confirm(
                    table, body: body, url: url, validators: StoredValidators(validators))
            {
                return .unchanged(rows)
            }
            var facts = try await engine.store.stage(body, page: number, of: table)
            facts.add(extent, paging: declaration.paging)
            leaveOutCredential(&facts)
            if let signs = signs(of: body) { facts.add(signs) }
            return .page(
                PublishedPage(
                    number: number, url: url,
                    // What tells of more would be forgotten with the bytes of an unchanged answer.
                    validators: declaration.paging == .none && facts.namesNextPage
                        || !mayKeep(url, facts)
                        ? StoredValidators(entityTag: nil, lastModified: nil)
                        : StoredValidators(validators),
                    facts: facts), toldNext: false)
        }
    }

    private func leaveOutCredential(_ facts: inout PageFacts) {
        guard declaration.paging.isTold else { return }
        facts.next = facts.next.map(source.client.withoutCredential)
    }

    /// Whether no secret is kept with a page: where the server names the next one, it may write what it likes.
    private func mayKeep(_ url: String, _ facts: PageFacts) -> Bool {
        !declaration.paging.isTold
            || [url, facts.next ?? ""].allSatisfy(source.client.mayKeep)
    }

    /// The pages before are kept for as long.
    private var persistence: Persistence { .lasting(source.client.limits.timeout * 10) }

    /// What the body tells of a longer list, if one answer is to hold all of it.
    private func signs(of body: [UInt8]) -> BodySigns? {
        guard declaration.paging == .none, declaration.rows != .root else { return nil }
        let outline = try? JSONReader.read(
            JSONOutline.of(body), maxDepth: BodyCheck.standardDepth)
        return outline.map { BodySigns($0, around: declaration.rows) }
    }

    /// Of a list that programs write to, a page is read whole as long as something was sent that it may not show yet.
    private func storedPage(
        _ url: String, _ tellsNextWhenUnchanged: Bool
    ) async throws(StoreError) -> StoredValidators? {
        if source.writing != nil, !maySayUnchanged { return nil }
        let stored = try await engine.store.storedPage(url: url, of: table)
        // An answer that is the same to the byte can have got a next page, which stands in its header alone. Not all
        // servers tell it in an answer that says "unchanged".
        if declaration.paging == .link, !tellsNextWhenUnchanged, let rows = stored?.rowsOfLast,
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
