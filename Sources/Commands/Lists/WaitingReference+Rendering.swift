internal import Configuration
internal import Declarations
internal import Store

extension WaitingReference {
    /// Why a configuration without this list is not taken.
    func refusal(_ new: Settings) -> CommandError {
        let others = referring.map(\.text).joined(separator: " and ")
        let waits =
            changes == 1
            ? "a change of these lists waits" : "\(changes) changes of these lists wait"
        return .notConfigured(
            "\(list) cannot be left out: rows of \(others) refer to its rows, and \(waits)",
            hint: "\(new.wayBack(to: list.text)) until nothing waits, or drop the changes: "
                + "`syncd outbox list` names them.")
    }
}

extension Settings {
    /// What a person does so that a list is synced again; to go on with.
    func wayBack(to list: String, as file: String = "its file") -> String {
        if [ListName.movies, .todos].contains(where: { $0.text == list }) {
            return "Let the configuration keep the \(list) again"
        }
        if brokenLists.contains(where: { $0.name == list }) {
            return "Correct \(file) \(list).json"
        }
        return declarations.contains { $0.name.text == list }
            ? "Set enabled to true in \(list).json" : "Put \(file) \(list).json back"
    }

    /// The list that a broken one needs and that is not synced: the one at the end, where that needs another one.
    ///
    /// - Parameters:
    ///   - list: The broken list.
    ///   - made: The lists that have a table. Any other one was never there: its name is a mistake.
    /// - Returns: That list; nil where the broken one has to be corrected itself.
    func missingReferred(by list: String, among made: [ListName]) -> ListName? {
        guard let broken = brokenLists.first(where: { $0.name == list }),
            case .reference(_, .noList(_, let other)) = broken.error, made.contains(other)
        else { return nil }
        return missingReferred(by: other.text, among: made) ?? other
    }
}
