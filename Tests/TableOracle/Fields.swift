import SQLite

/// Values of some fields. A field that is left out is NULL where a whole row is meant.
typealias Fields = [Field: Value]

extension Fields {
    /// The values of a row of SQL, from the column `first` on.
    init(_ row: Statement, from first: Int) {
        self.init(
            uniqueKeysWithValues: Field.allCases.enumerated()
                .map { ($1, row.value(first + $0)) })
    }

    /// NULL for a field that is left out.
    func value(_ field: Field) -> Value { self[field] ?? .null }

    /// As a document.
    var json: String {
        let members = Field.allCases.compactMap { field in
            self[field].map { "\"\(field.rawValue)\":\(field.json($0))" }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// A document that shows the same: a NULL is absent, null or of another type, a flag is true or 1, and the
    /// members stand in any order.
    func document(_ random: inout SeededGenerator) -> String {
        var members: [String] = []
        for field in random.shuffled(Field.allCases) {
            guard let value = self[field] else { continue }
            var json = field.json(value)
            if value == .null {
                if random.happens(35) { continue }
                if random.happens(60) { json = random.element(of: field.odd) }
            } else if case .integer(let number) = value, random.happens(50) {
                json = "\(number)"
            }
            members.append("\"\(field.rawValue)\":\(json)")
        }
        if random.happens(20) { members.append("\"unknown\":\(random.number(0...9))") }
        return "{\(members.joined(separator: ","))}"
    }
}

extension Value {
    /// For a trace.
    var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "'\(text)'"
        case .blob(let bytes): "\(bytes)"
        }
    }
}
