/// The canonical form of a JSON text: two texts are the same JSON value if their forms are the same bytes.
///
/// Numbers count by their value, objects without the order of their members, texts and names by their code
/// points after unescaping. A text has no form if it is no JSON, if an object in it has a name twice, if it is
/// nested deeper than ``depthLimit``, or if the exponent of a number has more than nine digits. Such a text is the
/// same as itself alone.
///
/// Laws: `form(form(x)) == form(x)`, and a form is JSON of the same value. `isSame` is an equivalence. The time
/// grows with the length, times the logarithm of the number of members. Any bytes may come.
///
/// Source: RFC 8259.
package struct CanonicalJSON {
    /// How many objects and lists may stand within each other.
    package static let depthLimit = 128

    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var form: [UInt8] = []

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        form.reserveCapacity(text.count)
    }

    /// The form of `text`; nil where it has none.
    package static func form(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var writer = CanonicalJSON(text)
        do throws(Formless) {
            try writer.value(depth: 0)
            writer.skipSpace()
            return writer.index == text.count ? writer.form : nil
        } catch {
            return nil
        }
    }

    /// Whether both texts are the same JSON value.
    package static func isSame(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if one.elementsEqual(other) { return true }
        guard let form = form(of: one) else { return false }
        return form == self.form(of: other)
    }

    /// Whether both texts are the same JSON value.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { isSame(one, $0) }
        }
    }

    /// The text has no form.
    private struct Formless: Error {}

    // MARK: Values

    private mutating func value(depth: Int) throws(Formless) {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try list(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func list(depth: Int) throws(Formless) {
        guard depth <= Self.depthLimit else { throw Formless() }
        take()
        skipSpace()
        if byte != UInt8(ascii: "]") {
            try value(depth: depth)
            while isBehindComma() { try value(depth: depth) }
        }
        guard byte == UInt8(ascii: "]") else { throw Formless() }
        take()
    }

    /// A member in ``form``: where its name stands, and where it ends.
    private struct Member {
        let name: Range<Int>
        var end = 0
    }

    private mutating func object(depth: Int) throws(Formless) {
        guard depth <= Self.depthLimit else { throw Formless() }
        take()
        skipSpace()
        var members: [Member] = []
        if byte != UInt8(ascii: "}") {
            members.append(try member(depth: depth))
            while isBehindComma() { members.append(try member(depth: depth)) }
        }
        guard byte == UInt8(ascii: "}") else { throw Formless() }
        try sort(members)
        take()
    }

    private mutating func member(depth: Int) throws(Formless) -> Member {
        skipSpace()
        let start = form.count
        try string()
        var member = Member(name: start..<form.count)
        skipSpace()
        guard byte == UInt8(ascii: ":") else { throw Formless() }
        take()
        try value(depth: depth)
        member.end = form.count
        return member
    }

    /// Brings the members, which end the form, into the order of their names.
    private mutating func sort(_ members: [Member]) throws(Formless) {
        guard members.count > 1, let start = members.first?.name.lowerBound else { return }
        let isSorted = zip(members, members.dropFirst()).allSatisfy { one, next in
            form[one.name].lexicographicallyPrecedes(form[next.name])
        }
        guard !isSorted else { return }
        let sorted = members.sorted {
            form[$0.name].lexicographicallyPrecedes(form[$1.name])
        }
        for (one, next) in zip(sorted, sorted.dropFirst())
        where form[one.name].elementsEqual(form[next.name]) { throw Formless() }
        // Only what moves is copied: many small objects stand in one text.
        let written = Array(form[start...])
        form.removeSubrange(start...)
        for (place, member) in sorted.enumerated() {
            if place > 0 { form.append(UInt8(ascii: ",")) }
            form += written[member.name.lowerBound - start..<member.end - start]
        }
    }

    private mutating func word(_ word: StaticString) throws(Formless) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else { throw Formless() }
            take()
        }
    }

    private mutating func number() throws(Formless) {
        let start = index
        while index < text.count, !Self.endsNumber(text[index]) { index += 1 }
        let digits = UnsafeBufferPointer(rebasing: text[start..<index])
        guard let number = DecimalNumber(digits) else { throw Formless() }
        number.append(to: &form)
    }

    private static func endsNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
            || isSpace(byte)
    }

    // MARK: Texts

    private mutating func string() throws(Formless) {
        guard byte == UInt8(ascii: "\"") else { throw Formless() }
        take()
        while true {
            takePlain()
            switch byte {
            case UInt8(ascii: "\""): return take()
            case UInt8(ascii: "\\"):
                guard let escape = JSONEscape(in: text, at: index) else { throw Formless() }
                escape.append(to: &form)
                index += escape.length
            default: throw Formless()
            }
        }
    }

    /// Takes what stands in a text as it is.
    private mutating func takePlain() {
        let start = index
        while index < text.count, text[index] >= 0x20, text[index] != UInt8(ascii: "\""),
            text[index] != UInt8(ascii: "\\")
        { index += 1 }
        form.append(contentsOf: text[start..<index])
    }

    // MARK: Bytes

    /// The next one; 0 at the end, where no text of JSON has it.
    private var byte: UInt8 { index < text.count ? text[index] : 0 }

    private mutating func take() {
        form.append(byte)
        index += 1
    }

    private mutating func isBehindComma() -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: ",") else { return false }
        take()
        return true
    }

    private mutating func skipSpace() {
        while index < text.count, Self.isSpace(text[index]) { index += 1 }
    }

    /// White space between tokens (RFC 8259 §2).
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
