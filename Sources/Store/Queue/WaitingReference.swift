public import Declarations

/// A list that rows of other lists refer to, while changes of these lists wait.
///
/// Law: such a list has to stay. Without it, a change of a row that refers to one of its rows cannot be sent, and its own
/// new rows get no id that others wait for.
public struct WaitingReference: Sendable, Hashable {
    /// The list that is referred to.
    public let list: ListName
    /// The lists whose rows refer to it, also by way of a third list, in the order of their names.
    public let referring: [ListName]
    /// How many changes wait in all of them; more than none.
    public let changes: Int64

    /// Those of `lists`, of which `changes` says how many wait in each.
    ///
    /// - Parameters:
    ///   - lists: Every list that has a table.
    ///   - changes: How many wait, by the name of their list.
    /// - Returns: One for each list that has to stay, in the order of `lists`.
    static func all(of lists: [Declaration], _ changes: [String: Int64]) -> [WaitingReference] {
        lists.compactMap { list in
            let referring = lists.filter { other in
                other.referredTo(among: lists).contains { $0.name == list.name }
            }.map(\.name)
            let count = (referring + [list.name]).reduce(0) { $0 + (changes[$1.text] ?? 0) }
            guard !referring.isEmpty, count > 0 else { return nil }
            return WaitingReference(list: list.name, referring: referring, changes: count)
        }
    }
}
