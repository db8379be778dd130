extension EditedRow {
    /// Whether the server has moved the row to `serverID`, where it shows it so: all that was sent is there, and nothing
    /// else is otherwise than it was. An id that is a number is made of nothing, and never moves.
    package func hasMoved(to serverID: String) -> Bool {
        guard update != nil, Int64(serverID) == nil, fields.contains(where: { $0.sent != nil })
        else { return false }
        return fields.allSatisfy { field in
            guard field.isShown else { return field.sent == nil }
            return field.shown == field.sent ?? field.base
        }
    }
}
