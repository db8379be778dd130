/// How rows are numbered.
extension ReferenceServer {
    func nextUserID() -> ReferenceID {
        nextID(lastInTable: state.users.last?.id, highest: state.highestUser)
    }

    func nextTodoID() -> ReferenceID {
        nextID(lastInTable: state.todos.last?.id, highest: state.highestTodo)
    }

    /// Integers ascend in a table, because each new one is above all that are there: the last row
    /// has the highest, and nothing has to be searched.
    private func nextID(lastInTable: ReferenceID?, highest: Int64) -> ReferenceID {
        switch behaviour.ids {
        case .reusedIntegers:
            return .integer((lastInTable?.number ?? 0) &+ 1)
        case .freshIntegers:
            return .integer(highest &+ 1)
        case .texts:
            var random = SeededGenerator(seed: ~behaviour.seed, number: state.rowsMade)
            return .text(Self.uuid(random.bytes(16)))
        }
    }

    /// Sixteen bytes in the form of a random UUID (RFC 9562 §5.4).
    private static func uuid(_ random: [UInt8]) -> String {
        var text = ""
        for (index, byte) in random.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let marked =
                switch index {
                case 6: byte & 0x0F | 0x40
                case 8: byte & 0x3F | 0x80
                default: byte
                }
            text += (marked < 16 ? "0" : "") + String(marked, radix: 16, uppercase: true)
        }
        return text
    }
}
