import APIClient
import Foundation
import ReferenceAPI

/// The server of projects and tasks, and what it has had so far. Titles tell the rows apart, and never change.
struct RelatedServer {
    /// A list of it.
    enum List: String, CaseIterable {
        case projects, tasks
    }

    /// What a row of a list says of itself.
    struct Row: Hashable {
        let id: String
        let title: String
        /// The id of its project, of its task above; nil for null.
        let project: String?
        let parent: String?
    }

    private var reference: ReferenceServer
    /// The title of the row that had this id last, and when it got it.
    private(set) var named: [List: [String: (title: String, moment: Int64)]] = [:]

    init(_ plan: RelatedPlan, projects: [String], tasks: [String]) {
        reference = ReferenceServer(
            state: ReferenceState(), behaviour: ReferenceBehaviour(),
            movies: .generated(count: 1, seed: 1, overlap: false, dates: true))
        var list = ReferenceList(rows: projects, paging: .none, size: 1000)
        list.isWritable = true
        reference.declaredLists["projects"] = list
        list = ReferenceList(rows: tasks, paging: .none, size: 1000)
        list.isWritable = true
        list.parents = [
            .init(member: "project_id", list: "projects", rule: plan.rule),
            .init(member: "parent_id", list: "tasks", rule: plan.rule),
        ]
        reference.declaredLists["tasks"] = list
        note(at: 0)
    }

    func rows(_ list: List) -> [Row] {
        (reference.declaredLists[list.rawValue]?.rows ?? []).map { text in
            Row(
                id: Self.member("id", of: text) ?? "", title: Self.member("title", of: text) ?? "",
                project: Self.member("project_id", of: text),
                parent: Self.member("parent_id", of: text))
        }
    }

    var titles: Set<String> { Set((rows(.projects) + rows(.tasks)).map(\.title)) }

    func title(_ list: List, _ id: String) -> String? { named[list]?[id]?.title }

    /// The id of a row that is gone, and that no row has now.
    func freeIDs(_ list: List) -> [String] {
        let taken = Set(rows(list).map(\.id))
        return (named[list] ?? [:]).keys.filter { !taken.contains($0) }.sorted()
    }

    mutating func answer(_ request: HTTPRequest, at moment: Int64) -> HTTPResponse {
        let answer = reference.answer(
            request, at: 1_800_000_000 + moment / 1000, milliseconds: moment % 1000)
        if request.method != .get { note(at: moment) }
        return answer
    }

    /// Another client deletes a row, if it may.
    mutating func remove(_ id: String, from list: List, at moment: Int64) {
        guard let base = try? BaseURL("http://127.0.0.1:8080") else { return }
        _ = answer(
            HTTPRequest(
                method: .delete, origin: base.origin, target: "/lists/\(list.rawValue)/\(id)",
                fields: [], timeout: .seconds(1), maxBodyBytes: 1 << 20), at: moment)
    }

    /// Another client makes a row.
    mutating func add(_ text: String, to list: List, at moment: Int64) {
        reference.declaredLists[list.rawValue]?.rows.append(text)
        note(at: moment)
    }

    private mutating func note(at moment: Int64) {
        for list in List.allCases {
            for row in rows(list) where named[list]?[row.id]?.title != row.title {
                named[list, default: [:]][row.id] = (row.title, moment)
            }
        }
    }

    /// A member of an object whose values are numbers, null, or texts without signs.
    static func member(_ name: String, of text: String) -> String? {
        guard let range = text.range(of: "\"\(name)\":") else { return nil }
        let value = text[range.upperBound...].prefix { $0 != "," && $0 != "}" }
            .trimmingCharacters(in: ["\"", " "])
        return value == "null" ? nil : value
    }
}
