import ReferenceAPI
import Rules

/// A local todo of a device: what a person there calls it by.
struct LocalTodo: Hashable, Sendable {
    let device: Int
    let id: Int64
}

/// Every row that the server ever had, under a number that is never used again, and who made and
/// removed it: what ids, which are used again, do not tell.
struct RowLedger {
    enum Actor: Hashable {
        /// A request on behalf of this todo.
        case todo(LocalTodo)
        case otherClient
        case amnesia
    }

    struct Row {
        let id: String
        let title: String
        let maker: Actor
        let madeAt: Int64
        var remover: Actor?
    }

    private(set) var rows: [Row] = []
    private(set) var current: [String: Int] = [:]
    /// The rows made for each todo, oldest first.
    private(set) var effects: [LocalTodo: [Int]] = [:]
    /// For a row, which rows its todo had made before that were still at the server.
    private(set) var doubles: [Int: [Int]] = [:]

    mutating func note(_ changes: [ReferenceChange], by actor: Actor, at now: Int64) {
        for change in changes {
            switch change {
            case .todoAdded(let todo): add(todo, by: actor, at: now)
            case .todoRemoved(let id): remove(id.description, by: actor)
            case .everythingForgotten:
                for id in Array(current.keys) { remove(id, by: .amnesia) }
            case .userAdded, .tokenAdded, .answerKept, .answersDropped, .listChanged: break
            }
        }
    }

    private mutating func add(_ todo: ReferenceState.Todo, by actor: Actor, at now: Int64) {
        let number = rows.count
        if case .todo(let local) = actor {
            doubles[number] = (effects[local] ?? []).filter { rows[$0].remover == nil }
            effects[local, default: []].append(number)
        }
        rows.append(Row(id: todo.id.description, title: todo.title, maker: actor, madeAt: now))
        current[todo.id.description] = number
    }

    private mutating func remove(_ id: String, by actor: Actor) {
        guard let number = current.removeValue(forKey: id) else { return }
        rows[number].remover = actor
    }

    func isThere(_ number: Int) -> Bool { rows[number].remover == nil }

    /// Byte for byte: how the product compares titles of rows.
    func looksLike(_ left: Int, _ right: Int) -> Bool {
        // Until a list has shown a row of ours, each form of its title is one that the server may have made of it.
        rows[left].id == rows[right].id
            && FoldedValue(rows[left].title) == FoldedValue(rows[right].title)
    }
}

extension String {
    /// Byte for byte; `==` is canonical equivalence.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
