import SQLite

/// Values of some fields. A field that is left out is NULL where a whole row is meant.
///
/// It has the methods of a dictionary, and a place for each field: the runs make and drop so many that
/// dictionaries would take a quarter of the model's time.
struct Fields: Equatable, Sequence, ExpressibleByDictionaryLiteral {
    typealias Element = (key: Field, value: Value)

    private var title: Value?
    private var body: Value?
    private var done: Value?
    private var changed: Value?
    private var book: Value?

    init(uniqueKeysWithValues members: some Sequence<(Field, Value)>) {
        for (field, value) in members { self[field] = value }
    }

    init(dictionaryLiteral members: (Field, Value)...) {
        self.init(uniqueKeysWithValues: members)
    }

    /// The values of a row of SQL, from the column `first` on.
    init(_ row: Statement, from first: Int) {
        title = row.value(first)
        body = row.value(first + 1)
        done = row.value(first + 2)
        changed = row.value(first + 3)
        book = row.value(first + 4)
    }

    subscript(field: Field) -> Value? {
        get {
            switch field {
            case .title: title
            case .body: body
            case .done: done
            case .changed: changed
            case .book: book
            }
        }
        set {
            switch field {
            case .title: title = newValue
            case .body: body = newValue
            case .done: done = newValue
            case .changed: changed = newValue
            case .book: book = newValue
            }
        }
    }

    /// In the order of the declaration.
    struct Iterator: IteratorProtocol {
        typealias Element = Fields.Element

        let fields: Fields
        private var place = Field.allCases.startIndex

        init(_ fields: Fields) { self.fields = fields }

        mutating func next() -> Element? {
            while place < Field.allCases.endIndex {
                let field = Field.allCases[place]
                place += 1
                if let value = fields[field] { return (field, value) }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    var keys: [Field] { map(\.key) }
    var count: Int { reduce(0) { count, _ in count + 1 } }
    var isEmpty: Bool {
        title == nil && body == nil && done == nil && changed == nil && book == nil
    }

    func filter(_ isKept: (Element) throws -> Bool) rethrows -> Fields {
        var kept = self
        for member in self where try !isKept(member) { kept[member.key] = nil }
        return kept
    }

    mutating func merge(_ other: Fields, _ choose: (Value, Value) -> Value) {
        for (field, value) in other { self[field] = self[field].map { choose($0, value) } ?? value }
    }

    func merging(_ other: Fields, _ choose: (Value, Value) -> Value) -> Fields {
        var merged = self
        merged.merge(other, choose)
        return merged
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
                json = field == .book ? "\"\(json)\"" : "\(number)"
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
