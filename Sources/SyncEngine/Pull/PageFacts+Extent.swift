internal import APIClient
internal import Declarations
internal import Rules

/// What an answer tells beside its rows.
extension PageFacts {
    /// Adds what the body tells beside its rows.
    mutating func add(_ signs: BodySigns) {
        totalRows = [totalRows, signs.totalRows].compactMap { $0 }.max()
        if signs.namesMore { namesNextPage = true }
    }

    /// Adds what the answer's header tells. The larger total counts: it only ever makes a pull less complete.
    mutating func add(_ extent: ListExtent, paging: Paging) {
        if case .next(let told) = paging {
            switch told.place {
            case .link: next = extent.next
            case .header(let name): next = extent.texts[name]
            case .path: break
            }
        }
        totalPages = totalPages ?? paging.pages?.header.flatMap { extent.named[$0] }
        totalRows = totalRows ?? paging.rows?.header.flatMap { extent.named[$0] }
        totalRows = [totalRows, extent.total].compactMap { $0 }.max()
        namesNextPage = extent.next != nil
        age = extent.age
    }

    /// Adds what the header of an answer tells that says nothing but "unchanged". It counts before what was kept.
    mutating func addUnchanged(_ extent: ListExtent, paging: Paging) {
        let kept = self
        (totalPages, totalRows) = (nil, nil)
        add(extent, paging: paging)
        (totalPages, totalRows) = (totalPages ?? kept.totalPages, totalRows ?? kept.totalRows)
        next = next ?? kept.next
    }
}
