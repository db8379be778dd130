import FoundationEssentials

extension ReferenceList {
    /// How the list is answered if a client asks for changes alone: rows with a moment at or after that of the query.
    public struct Increments: Sendable, Hashable {
        /// What is wrong with such answers.
        public enum Lie: Sendable, Hashable {
            /// They have every row.
            case ignored
            /// They have none.
            case empty
            /// The mark is always too old: 410.
            case gone
        }

        /// The query parameter with the moment.
        public var parameter: String
        /// The member of a row with its moment: a text that sorts as moments do. Writes set it.
        public var member: String
        /// What is shown of deleted rows, as JSON text; in answers to such queries alone.
        public var tombstones: [String] = []
        /// What is wrong; nil: nothing.
        public var lie: Lie?

        /// Queries by `parameter` for rows by their `member`.
        public init(parameter: String = "since", member: String = "updated_at") {
            self.parameter = parameter
            self.member = member
        }
    }

    /// The list as it is answered to this query; nil: its mark is too old.
    func asked(_ query: [String: String]) -> ReferenceList? {
        guard let increments, let since = query[increments.parameter] else { return self }
        var list = self
        switch increments.lie {
        case .ignored: break
        case .gone: return nil
        case .empty: list.written = WrittenRows(rows: [])
        case nil:
            let changed = (rows + increments.tombstones).filter { row in
                let bytes = Array(row.utf8)
                let place = TopLevelMembers(of: bytes)?.place(of: increments.member)
                let moment = place.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
                return moment.drop { $0 == "\"" }.prefix { $0 != "\"" } >= since
            }
            list.written = WrittenRows(rows: changed)
        }
        return list
    }

    /// The row as it stands after a write at a moment, in seconds after 1970.
    func stamped(_ row: String, at moment: Int64) -> String {
        guard let increments else { return row }
        let bytes = Array(row.utf8)
        let text = "\"\(Date(timeIntervalSince1970: Double(moment)).ISO8601Format())\""
        guard let members = TopLevelMembers(of: bytes) else { return row }
        if members.place(of: increments.member) != nil {
            return String(
                decoding: members.replacing([increments.member: text], in: bytes), as: UTF8.self)
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return row }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        return head + ",\"\(increments.member)\":\(text)}"
    }
}
