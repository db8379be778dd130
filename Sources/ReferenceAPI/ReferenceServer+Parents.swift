import APIClient

extension ReferenceList {
    /// A member of the rows that names a row of another list by its id: a foreign key.
    public struct Parent: Sendable, Hashable {
        /// What becomes of the rows when that row is removed.
        public enum Rule: String, Sendable, Hashable, CaseIterable {
            /// It is not removed: 409.
            case restricts = "restrict"
            /// They are removed, too.
            case cascades = "cascade"
            /// They have `null` from then on.
            case lets = "set-null"
        }

        /// The name of the member.
        public var member: String
        /// The name of the other list.
        public var list: String
        /// What becomes of the rows.
        public var rule: Rule

        /// A foreign key.
        public init(member: String, list: String, rule: Rule) {
            self.member = member
            self.list = list
            self.rule = rule
        }
    }
}

/// Foreign keys between lists of any rows.
extension ReferenceServer {
    /// 422 where `body`, a row or the changes of one, names a row that is not there.
    func orphanRefusal(of body: [UInt8], in list: ReferenceList) -> HTTPResponse? {
        guard !list.parents.isEmpty, let members = TopLevelMembers(of: body) else { return nil }
        for parent in list.parents {
            guard let place = members.place(of: parent.member) else { continue }
            let id = String(decoding: body[place], as: UTF8.self)
            let rows = declaredLists[parent.list]?.rows ?? []
            guard id != "null", !rows.contains(where: { Self.id(of: $0) == id }) else { continue }
            return Self.refusal(422, "\(parent.member): there is no such row")
        }
        return nil
    }

    /// Removes the row in this place of a list, with what its foreign keys say of others. False where one forbids it:
    /// then nothing has changed.
    mutating func remove(place: Int, of name: String) -> Bool {
        guard let row = declaredLists[name]?.rows[place], let id = Self.id(of: row),
            let leaving = leaving(with: Key(list: name, id: id))
        else { return false }
        for (other, list) in declaredLists.sorted(by: { $0.key < $1.key }) {
            for (place, row) in list.rows.enumerated().reversed() {
                if let id = Self.id(of: row), leaving.contains(Key(list: other, id: id)) {
                    change(.listChanged(name: other, .removed(place: place)))
                }
            }
            for parent in list.parents {
                while let child = declaredLists[other]?.rows.firstIndex(where: { row in
                    let key = Self.value(of: parent.member, in: row)
                    return key.map { leaving.contains(Key(list: parent.list, id: $0)) } ?? false
                }) {
                    letGo(child, of: other, from: parent)
                }
            }
        }
        return true
    }

    /// A row of a list.
    private struct Key: Hashable {
        let list: String
        let id: String
    }

    /// Every row that leaves with this one; nil where one below it forbids that.
    private func leaving(with first: Key) -> Set<Key>? {
        var leaving: Set<Key> = [first]
        var open = [first]
        while let next = open.popLast() {
            for (other, list) in declaredLists {
                for parent in list.parents where parent.list == next.list && parent.rule != .lets {
                    let below = list.rows.filter {
                        Self.value(of: parent.member, in: $0) == next.id
                    }
                    .compactMap(Self.id).map { Key(list: other, id: $0) }
                    .filter { !leaving.contains($0) }
                    guard below.isEmpty || parent.rule == .cascades else { return nil }
                    leaving.formUnion(below)
                    open += below
                }
            }
        }
        return leaving
    }

    private mutating func letGo(
        _ place: Int, of name: String, from parent: ReferenceList.Parent
    ) {
        guard let row = declaredLists[name]?.rows[place],
            let members = TopLevelMembers(of: Array(row.utf8))
        else { return }
        let new = members.replacing([parent.member: "null"], in: Array(row.utf8))
        change(
            .listChanged(
                name: name, .edited(place: place, row: String(decoding: new, as: UTF8.self))))
    }

    private static func value(of member: String, in row: String) -> String? {
        let bytes = Array(row.utf8)
        return TopLevelMembers(of: bytes)?.place(of: member).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }
}
