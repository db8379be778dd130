/// The rows that the server has, in its order.
struct ServerRows {
    private(set) var rows: [(id: String, fields: Fields)] = []
    private var added = 0

    subscript(id: String) -> Fields? {
        get { rows.first { $0.id == id }?.fields }
        set {
            let place = rows.firstIndex { $0.id == id }
            switch (place, newValue) {
            case (let place?, let fields?): rows[place].fields = fields
            case (let place?, nil): rows.remove(at: place)
            case (nil, let fields?): rows.append((id, fields))
            case (nil, nil): break
            }
        }
    }

    /// Adds a row, and returns its id.
    mutating func add(_ fields: Fields) -> String {
        added += 1
        rows.append(("\(added)", fields))
        return "\(added)"
    }

    var shown: String {
        rows.map { "\($0.id) \($0.fields.json)" }.joined(separator: ", ")
    }
}
