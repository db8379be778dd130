internal import Text

extension DeclarationReader {
    private static let sinceForm =
        "an object such as {\"query\": \"since={since}\", \"moment\": \"$.updated_at\"}"

    /// How only changes are asked for; nil where whole lists are read.
    mutating func since(_ place: Place, interval: Duration) -> Since? {
        guard let node = place.node else { return nil }
        guard case .object = node.value else {
            refuse(place, allowed: Self.sinceForm)
            return nil
        }
        guard let fields = fields(of: place, keys: Grammar.since) else { return nil }
        for (key, example) in [
            ("query", "the parameter that takes the mark: \"query\": \"since={since}\""),
            ("moment", "where a row's moment stands: \"moment\": \"$.updated_at\""),
        ] where !fields[key].isSet {
            demand(fields[key], example: example)
        }
        let query = sinceQuery(fields["query"])
        let moment = moment(fields["moment"])
        let whole = whole(fields["whole"], interval: interval)
        let deleted = tombstone(fields["deleted"])
        let form: Since.Form? = word(fields["form"])
        guard let query, let moment else { return nil }
        if form != nil, moment.rowPath == nil {
            note(
                fields["form"].offset,
                "since.form is set, and since.moment is a text of the server's own",
                hint: "Remove since.form: such a text is sent as it came.")
        }
        return Since(query: query, moment: moment, whole: whole, deleted: deleted, form: form)
    }

    private mutating func sinceQuery(_ place: Place) -> String? {
        let allowed = "parameters of a query with {since} in it, such as updated_after={since}"
        return text(place, allowed: allowed) { text in
            text.utf8.count <= 500 && text.contains(Since.placeholder)
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
                && text.split(separator: "&", omittingEmptySubsequences: false).allSatisfy {
                    $0.contains("=") && $0.first != "="
                }
        }
    }

    /// `$.updated_at`, `answer $.nextSyncToken` or `header ETag`.
    private mutating func moment(_ place: Place) -> Since.Moment? {
        let allowed = "a path such as $.updated_at, \"answer $.token\" or \"header ETag\""
        guard let text = text(place, allowed: allowed) else { return nil }
        if text.hasPrefix("answer ") {
            return path(String(text.dropFirst(7)), of: place).map { .answer($0) }
        }
        return total(text, of: place, allowed: allowed).map { told in
            switch told {
            case .path(let path): .row(path)
            case .header(let name): .header(name)
            }
        }
    }

    /// A day, where the interval is not longer.
    private mutating func whole(_ place: Place, interval: Duration) -> Duration {
        let standard = Since.standardWhole(of: interval)
        let longest = Duration.seconds(30 * 86_400)
        let allowed = "a duration from \(HumanTime.written(interval)), the interval, to 30d"
        let text = text(place, allowed: allowed) { text in
            (try? HumanTime.duration(text)).map { (interval...longest).contains($0) } ?? false
        }
        return text.flatMap { try? HumanTime.duration($0) } ?? standard
    }

    /// `$.deleted`, or `{"$.status": "cancelled"}`.
    private mutating func tombstone(_ place: Place) -> Since.Tombstone? {
        guard let node = place.node else { return nil }
        let allowed = "a path such as $.deleted, or {\"$.status\": \"cancelled\"}"
        switch node.value {
        case .text(let text):
            return path(text, of: place).map { Since.Tombstone(path: $0, value: nil) }
        case .object(let members) where members.count == 1:
            guard let value = PlainValue(members[0].node), value != .null else { break }
            return path(members[0].key, of: place).map { Since.Tombstone(path: $0, value: value) }
        default: break
        }
        refuse(place, allowed: allowed)
        return nil
    }
}

extension Since {
    /// The time from one whole list to the next where nothing is said of it.
    static func standardWhole(of interval: Duration) -> Duration { max(.seconds(86_400), interval) }

    /// As a file declares it, of a list with `interval`.
    func json(interval: Duration) -> JSONNode {
        .object([
            ("query", .text(query)), ("moment", .text(moment.description)),
            (
                "whole",
                whole == Self.standardWhole(of: interval) ? nil : .text(HumanTime.written(whole))
            ),
            ("deleted", deleted?.json), ("form", form.map { .text($0.rawValue) }),
        ])
    }
}

extension Since.Tombstone {
    fileprivate var json: JSONNode {
        guard let value else { return .text(path.description) }
        return .object([(path.description, value.json)])
    }
}
