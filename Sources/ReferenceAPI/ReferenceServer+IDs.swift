/// How rows are numbered.
extension ReferenceServer {
    func nextUserID() -> ReferenceID {
        nextID(existing: state.users.lazy.map(\.id), highest: state.highestUser)
    }

    func nextTodoID() -> ReferenceID {
        nextID(existing: state.todos.lazy.map(\.id), highest: state.highestTodo)
    }

    private func nextID(existing: some Sequence<ReferenceID>, highest: Int64) -> ReferenceID {
        switch behaviour.ids {
        case .reusedIntegers:
            return .integer(existing.reduce(0) { max($0, $1.number) } &+ 1)
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
