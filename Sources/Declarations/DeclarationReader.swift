internal import Text

/// Reads a declaration and collects everything that is wrong with it.
///
/// Each function notes what is wrong and goes on with a value that fits, so that one mistake is told
/// once and hides no other.
struct DeclarationReader {
    private let bytes: [UInt8]
    private var problems: [(offset: Int, problem: DeclarationProblem)] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// What was noted, in the order of the file.
    var sorted: [DeclarationProblem] {
        problems.sorted { $0.offset < $1.offset }.map(\.problem)
    }

    mutating func note(_ offset: Int, _ sentence: String, hint: String) {
        problems.append(
            (
                offset,
                DeclarationProblem(
                    position: TextPosition(offset: offset, in: bytes),
                    sentence: ForeignText(sentence).escaped, hint: ForeignText(hint).escaped)
            ))
    }

    /// Notes that the value of `place` is none of those that are allowed.
    mutating func refuse(_ place: Place, allowed: String) {
        let found = place.node.map { ", not \($0.excerpt)" } ?? ""
        note(place.offset, "\(place.name) must be \(allowed)\(found)", hint: "Write \(allowed).")
    }

    /// Notes that a key is missing.
    mutating func demand(_ place: Place, example: String) {
        note(place.offset, "\(place.name) is not set", hint: "Add \(example).")
    }
}

extension DeclarationReader {
    /// A value in the document, or where it would stand.
    struct Place {
        /// Its keys with dots.
        let name: String
        /// Of its value, or of the object that lacks it.
        let offset: Int
        /// Its value; nil where the key is not set or is `null`.
        let node: JSONNode?

        var isSet: Bool { node != nil }
    }

    /// An object whose keys are known.
    struct Fields {
        private let name: String
        private let offset: Int
        private let members: [JSONNode.Member]

        init(name: String, offset: Int, members: [JSONNode.Member]) {
            self.name = name
            self.offset = offset
            self.members = members
        }

        /// The value of `key`.
        subscript(_ key: String) -> Place {
            let name = name.isEmpty ? key : "\(name).\(key)"
            guard let member = members.first(where: { $0.key == key }) else {
                return Place(name: name, offset: offset, node: nil)
            }
            let isNull = member.node.value == .null
            return Place(name: name, offset: member.node.offset, node: isNull ? nil : member.node)
        }
    }

    /// The object at `place`, whose keys are all among `keys`; nil where it is no object.
    mutating func fields(of place: Place, keys: [String]) -> Fields? {
        guard let node = place.node, case .object(let members) = node.value else {
            refuse(place, allowed: "an object")
            return nil
        }
        for member in members where !keys.contains(member.key) {
            // For editors, which read the grammar there.
            if place.name.isEmpty, member.key == "$schema" { continue }
            let nearest = NearestName.of(member.key, among: keys)
            let name = place.name.isEmpty ? member.key : "\(place.name).\(member.key)"
            note(
                member.offset, "the key \"\(name.start(200))\" is not known",
                hint: nearest.map { "Write \($0) if you mean that, or remove the key." }
                    ?? "Remove the key.")
        }
        return Fields(name: place.name, offset: node.offset, members: members)
    }

    /// A text; nil where it is not set or another value, which is noted.
    mutating func text(
        _ place: Place, allowed: String = "a text",
        where isAllowed: (String) -> Bool = { _ in true }
    ) -> String? {
        guard let node = place.node else { return nil }
        guard case .text(let text) = node.value, isAllowed(text) else {
            refuse(place, allowed: allowed)
            return nil
        }
        return text
    }

    /// A truth value, or `standard`.
    mutating func bool(_ place: Place, standard: Bool) -> Bool {
        guard let node = place.node else { return standard }
        guard case .bool(let value) = node.value else {
            refuse(place, allowed: "true or false")
            return standard
        }
        return value
    }

    /// A whole number within `range`; nil where it is not set or another value, which is noted.
    mutating func integer(_ place: Place, in range: ClosedRange<Int>) -> Int? {
        guard let node = place.node else { return nil }
        guard case .number(let text) = node.value, let number = Int(text),
            String(number) == text, range.contains(number)
        else {
            refuse(place, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// One of the words of a type; nil where it is not set or another value, which is noted.
    mutating func word<Word>(_ place: Place, of type: Word.Type = Word.self) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        guard place.isSet else { return nil }
        let words = type.allCases.map(\.rawValue)
        guard let text = text(place, allowed: Self.choice(words), where: { words.contains($0) })
        else { return nil }
        return type.init(rawValue: text)
    }

    /// A path; nil where it is not set or another value, which is noted.
    mutating func path(_ place: Place) -> JSONPath? {
        guard let node = place.node else { return nil }
        guard case .text(let text) = node.value else {
            refuse(place, allowed: "a path such as $.id")
            return nil
        }
        return path(text, of: place)
    }

    mutating func path(_ text: String, of place: Place) -> JSONPath? {
        do throws(JSONPathError) {
            return try JSONPath(text)
        } catch {
            note(
                place.offset,
                "\(place.name) is no path: \"\(text.start(60))\", \(error)",
                hint: "Write a path such as $, $.id, $.user.login, $['first name'] or $.tags[0].")
            return nil
        }
    }

    /// A list of texts; empty where it is not set.
    mutating func texts(_ place: Place, allowed: String) -> [String] {
        guard let node = place.node else { return [] }
        guard case .list(let items) = node.value else {
            refuse(place, allowed: allowed)
            return []
        }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            let inner = Place(name: "\(place.name)[\(index)]", offset: item.offset, node: item)
            guard let text = text(inner), !texts.contains(text) else {
                if case .text = item.value {
                    note(item.offset, "\(inner.name) is doubled", hint: "Remove it.")
                }
                continue
            }
            texts.append(text)
        }
        return texts
    }

    /// `a`, `a or b`, `a, b or c`.
    static func choice(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
