import TestSupport
import Text

/// How a server spells rows: the same value in many ways, or always in one.
struct EditSpelling {
    /// Nil for a server that spells everything as people do.
    private let random: SeededRandom?

    /// The spelling of one answer.
    init(_ setting: EditSetting, at seed: UInt64) {
        let isDrawn = setting.unkindness.happens(.spells, at: seed)
        random = isDrawn ? EditUnkindnesses.random(.spells, seed) : nil
    }

    /// Members as an object.
    func object(_ members: [(name: String, json: String)]) -> String {
        let inOrder = random.map { shuffled(members, $0) } ?? members
        return "{\(inOrder.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}"
    }

    /// `value` of `field`.
    func json(_ value: String?, of field: EditField) -> String {
        guard let random, let value else { return field.json(value) }
        switch field.kind {
        case .text: return "\"\(value.unicodeScalars.map { letter($0, random) }.joined())\""
        case .integer: return random.happens(50) ? value + ".0" : value
        case .json: return respelt(value, random)
        }
    }

    private func letter(_ scalar: Unicode.Scalar, _ random: SeededRandom) -> String {
        guard random.happens(50), scalar.value < 0x80 else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Members in another order, and numbers with a point.
    private func respelt(_ value: String, _ random: SeededRandom) -> String {
        guard let node = try? JSONReader.read(Array(value.utf8)),
            case .object(let members) = node.value
        else { return value }
        let all = members.map { member in
            let json = EditValue.json(member.node)
            return (
                name: member.key,
                json: json.allSatisfy(\.isNumber) && random.happens(50) ? json + ".0" : json
            )
        }
        return object(all)
    }

    private func shuffled<Element>(_ elements: [Element], _ random: SeededRandom) -> [Element] {
        var rest = elements
        return elements.map { _ in rest.remove(at: random.index(rest.count)) }
    }
}
