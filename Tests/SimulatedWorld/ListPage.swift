import APIClient
import Foundation
import ReferenceAPI
import TestSupport

/// What a page of the list has told, or all pages up to it.
struct ListPage {
    /// When the first page was asked for, and when it came: no row is older.
    let startedAt: Int64
    let cameAt: Int64
    /// When the last page came.
    var endedAt: Int64
    let isFirst: Bool
    var isLast: Bool
    /// The rows by id, as they were when their page was made.
    var listed: [String: Int]
    /// All rows, those too that can be none of ours.
    var listedRows: Int
    /// Its header told of more rows than it has.
    var isPage: Bool
    /// It is valid, and not what the server had.
    var isWrong: Bool
    /// It did not hold every row.
    var isSpoiled: Bool
    /// A row stands on it twice: of several pages one can be another's, so they are not the whole list.
    var isDoubled = false

    /// Adds the page behind it. A row that was removed can have come again meanwhile: then it is told of by no
    /// page.
    mutating func add(_ next: ListPage) {
        isLast = next.isLast
        endedAt = next.endedAt
        listedRows += next.listedRows
        isPage = isPage || next.isPage
        isWrong = isWrong || next.isWrong
        // A page without a new row is the end, and tells nothing.
        let tells = next.listed.keys.contains { listed[$0] == nil }
        isSpoiled = isSpoiled || next.isSpoiled || tells && (isDoubled || next.isDoubled)
        for (id, row) in next.listed {
            if let other = listed[id], other != row {
                listed[id] = nil
                isSpoiled = true
            } else {
                listed[id] = row
            }
        }
    }
}

extension Delivery {
    /// The rows of the list as it was when it was answered, by their ids alone.
    private var listedIDs: [Any] {
        listed.keys.compactMap { Int64($0) }.sorted().map { ["id": $0] }
    }

    /// The page of the list that `answer` is.
    func page(_ answer: HTTPResponse, startedAt: Int64, cameAt: Int64) -> ListPage {
        let whole = ListPage(
            startedAt: startedAt, cameAt: cameAt, endedAt: cameAt, isFirst: true, isLast: true,
            listed: listed,
            listedRows: listedRows, isPage: answer.tellsOfMore(than: listedRows),
            isWrong: isWrongList, isSpoiled: !isWholeList)
        guard let list = world.plan.setting.list, list.pageSize != nil,
            let rows = answer.status == 304
                ? listedIDs
                : try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [Any]
        else { return whole }
        let (shown, next) = list.page(of: rows, for: asked)
        let ids = Set(shown.compactMap { ($0 as? [String: Any])?["id"].map { "\($0)" } })
        return ListPage(
            startedAt: startedAt, cameAt: cameAt, endedAt: cameAt,
            isFirst: DrawnList.cursor(of: asked) == nil,
            isLast: next == nil, listed: listed.filter { ids.contains($0.key) },
            listedRows: shown.count, isPage: false, isWrong: isWrongList,
            // What is wrong with rows is so with the first ones.
            isSpoiled: !isWholeList && DrawnList.cursor(of: asked) == nil,
            isDoubled: ids.count < shown.count)
    }
}

extension Device {
    /// Notes a page that came; with the last one the list is known.
    func note(_ page: ListPage) {
        if page.isFirst {
            current?.pull = page
        } else {
            current?.pull?.add(page)
        }
        guard let pull = current?.pull, pull.isLast else { return }
        current?.pull = nil
        current?.snapshot = pull.listed
        current?.listCameAt = pull.cameAt
        current?.listEndedAt = pull.endedAt
        current?.isPage = pull.isPage
        current?.listedRows = pull.listedRows
        current?.isWrong = pull.isWrong
        current?.isSpoiled = pull.isSpoiled
        if !pull.isSpoiled { books.listBeganAt = pull.startedAt }
        books.latest.merge(pull.listed) { _, new in new }
    }
}

extension HTTPResponse {
    /// Whether the header tells of more rows than these.
    fileprivate func tellsOfMore(than rows: Int) -> Bool {
        fields.contains { field in
            switch field.name.lowercased() {
            case "link": true
            case "x-total-count": Int(field.value) ?? 0 > rows
            case "content-range":
                field.value.split(separator: "/").last.flatMap { Int($0) } ?? 0 > rows
            case _: false
            }
        }
    }
}
