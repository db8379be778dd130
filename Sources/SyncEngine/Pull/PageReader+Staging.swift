internal import APIClient
internal import Declarations
internal import Rules
internal import Store
internal import Text

extension PageReader {
    /// Stages what came for a page.
    func take(_ answered: Answered) async -> PageRead {
        do throws(StoreError) {
            return try await read(answered)
        } catch {
            guard case .unusableBody(let text) = error else { return .broken(error) }
            let failure = CycleFailure(
                unusable: text, refusal: answered.answer.refusal(without: source.client.secrets),
                of: declaration.name, without: source.client.secrets)
            return answered.wanted.index > 0 ? .refused(failure) : .failed(failure)
        }
    }

    private func read(_ answered: Answered) async throws(StoreError) -> PageRead {
        let (url, number) = (answered.url, firstPage + answered.wanted.index)
        switch answered.answer {
        case .notModified where source.writing != nil && declaration.isOneAnswer:
            try await engine.store.confirm(table)
            return .unchanged(nil)
        case .notModified(let extent):
            guard
                var facts = try await engine.store.stageUnchanged(
                    url: url, page: number, of: table)
            else {
                var wanted = answered.wanted
                wanted.isLost = true
                return .lost(wanted)
            }
            facts.addUnchanged(extent, paging: declaration.paging)
            leaveOutCredential(&facts)
            return page(
                answered, facts, answered.stored ?? .none,
                tellsNextWhenUnchanged: extent.next != nil)
        case .body(let body, let validators, let extent):
            let validators = StoredValidators(validators)
            if source.writing != nil, maySayUnchanged, declaration.each == nil,
                let rows = try await engine.store.confirm(
                    table, body: body, url: url, validators: validators)
            {
                return .unchanged(rows)
            }
            var facts = try await engine.store.stage(body, page: number, of: table)
            facts.add(extent, paging: declaration.paging)
            if declaration.since != nil {
                facts.token = facts.token ?? tokenHeader.flatMap { extent.texts[$0] }
                facts.answeredAt = extent.date.flatMap { HTTPDate($0) }?.seconds
            }
            leaveOutCredential(&facts)
            if let signs = signs(of: body) { facts.add(signs) }
            // What tells of more would be forgotten with the bytes of an unchanged answer.
            let isKept =
                scope.isWhole && declaration.listBody == nil && mayKeep(url, facts)
                && !(declaration.paging == .none && facts.namesNextPage)
            return page(
                answered, facts, isKept ? validators : .none, tellsNextWhenUnchanged: false)
        }
    }

    private func page(
        _ answered: Answered, _ facts: PageFacts, _ validators: StoredValidators,
        tellsNextWhenUnchanged: Bool
    ) -> PageRead {
        let index = answered.wanted.index
        return .page(
            index: index, target: answered.target,
            PublishedPage(
                number: firstPage + index, url: answered.url, validators: validators, facts: facts),
            came: answered.came, tellsNextWhenUnchanged: tellsNextWhenUnchanged)
    }

    private func leaveOutCredential(_ facts: inout PageFacts) {
        guard declaration.paging.isTold else { return }
        // A cursor for a body is JSON, and no address.
        if case .cursor(let cursor) = declaration.paging, cursor.parameter.path != nil { return }
        facts.next = facts.next.map(source.client.withoutCredential)
    }

    /// Whether no secret is kept with a page: where the server names the next one, it may write what it likes.
    private func mayKeep(_ url: String, _ facts: PageFacts) -> Bool {
        !declaration.paging.isTold
            || [url, facts.next ?? ""].allSatisfy(source.client.mayKeep)
    }

    /// What the body tells of a longer list, if one answer is to hold all of it.
    private func signs(of body: [UInt8]) -> BodySigns? {
        guard declaration.paging == .none, declaration.rows != .root else { return nil }
        let outline = try? JSONReader.read(
            JSONOutline.of(body), maxDepth: BodyCheck.standardDepth)
        return outline.map { BodySigns($0, around: declaration.rows) }
    }
}
