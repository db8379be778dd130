/// The body of an error answer, as far as a sentence for a person can stand in it.
///
/// Servers agree on no shape. RFC 9457 has `title` and `detail`; others write `reason`, `message`, or
/// `error`, a list of those, or a map from each field to what is wrong with it.
indirect enum ReasonShape: Decodable, Sendable {
    case text(String)
    case list([ReasonShape])
    case object([String: ReasonShape])
    /// A number, a truth value or null: no words.
    case wordless

    /// Members that hold the reason, the one that says most first.
    private static let names = [
        "reason", "status_message", "detail", "message", "msg", "error_description", "error",
        "errors",
    ]
    /// What a list or a map adds beyond these is not told.
    private static let itemsAtMost = 8

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var members: [String: ReasonShape] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(ReasonShape.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [ReasonShape] = []
            while !container.isAtEnd { items.append(try container.decode(ReasonShape.self)) }
            self = .list(items)
        } else {
            // A text is all that is left to look for; anything else has no words.
            let text = try? decoder.singleValueContainer().decode(String.self)
            self = text.map { .text($0) } ?? .wordless
        }
    }

    /// The server's words in a whole answer; nil where it has none.
    ///
    /// Fields with a list are what form validators tell. Fields with a text are told only below a
    /// named member: the answer itself may be the row that was sent.
    var reason: String? {
        if case .text(let text) = self { return text.isEmpty ? nil : text }
        guard case .object(let members) = self else { return nil }
        if let words = Self.named(members) { return words }
        // A title that is the status says nothing, and such a description is none of a row.
        if case .text(let title) = members["title"],
            title.utf8.prefix(3).allSatisfy({ 0x30...0x39 ~= $0 }),
            let words = members["description"]?.words
        {
            return words
        }
        // As a text it is a title of the problem; as a list it is about the field of that name.
        if case .text = members["title"], members["status"] != nil || members["type"] != nil {
            return members["title"]?.words
        }
        return Self.fields(members, areTextsTold: false)
    }

    /// The words at any place below.
    var words: String? {
        switch self {
        case .wordless: nil
        case .text(let text): text.isEmpty ? nil : text
        case .list(let items): Self.joined(items.lazy.compactMap(\.words))
        case .object(let members):
            Self.named(members) ?? Self.fields(members, areTextsTold: true)
        }
    }

    private static func named(_ members: [String: ReasonShape]) -> String? {
        for name in names {
            guard let words = members[name]?.words else { continue }
            if name == "msg", let place = place(members["loc"]) { return "\(place): \(words)" }
            return words
        }
        return nil
    }

    private static func fields(
        _ members: [String: ReasonShape], areTextsTold: Bool
    ) -> String? {
        joined(
            members.sorted { $0.key < $1.key }.lazy.compactMap { name, shape in
                switch shape {
                case .list: shape.words.map { "\(name): \($0)" }
                case .text where areTextsTold: shape.words.map { "\(name): \($0)" }
                case .text, .object, .wordless: nil
                }
            })
    }

    /// `body.title` of `["body", "title"]`.
    private static func place(_ shape: ReasonShape?) -> String? {
        guard case .list(let items) = shape else { return nil }
        let names = items.compactMap(\.words)
        return names.isEmpty ? nil : names.joined(separator: ".")
    }

    private static func joined(_ texts: some Sequence<String>) -> String? {
        let first = texts.prefix(itemsAtMost)
        let text = first.joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension ReasonShape {
    /// The number that some servers give beside the sentence.
    struct Code: Decodable {
        let number: Int?

        enum CodingKeys: String, CodingKey { case number = "status_code" }

        init(from decoder: any Decoder) throws {
            // Foreign: another type is as good as none.
            number = try? decoder.container(keyedBy: CodingKeys.self).decode(
                Int.self, forKey: .number)
        }
    }
}
