internal import Text

extension DeclarationReader {
    private static let eachForm =
        "an object such as {\"issue\": \"issues\"} or {\"repo\": [\"me/garden\", \"me/house\"]}"

    /// What the list has parts of; nil where it has none.
    mutating func each(_ place: Place, list: String, interval: Duration) -> Each? {
        guard let node = place.node else {
            noteLonePlace(in: list, at: place)
            return nil
        }
        guard case .object(let members) = node.value,
            let first = members.first(where: { !Grammar.each.contains($0.key) }),
            let fields = fields(of: place, keys: [first.key] + Grammar.each)
        else {
            refuse(place, allowed: Self.eachForm)
            return nil
        }
        let named = fields[first.key]
        guard JSONPath.isPlain(first.key), first.key != "id", first.key != "version",
            first.key.utf8.count <= Limits.columnNameBytes
        else {
            note(
                first.offset, "each cannot be about \"\(first.key.start(60))\"",
                hint: "Name a part by letters, digits and _, such as issue.")
            return nil
        }
        guard let parts = parts(named) else { return nil }
        if case .words = parts {
            for key in Grammar.each where fields[key].isSet {
                note(
                    fields[key].offset,
                    "\(fields[key].name) is set, and each part is a word: all are read in each cycle",
                    hint: "Remove the key.")
            }
        }
        let each = Each(
            name: first.key, parts: parts,
            changed: texts(fields["changed"], allowed: "a list of columns"),
            whole: wholeRound(fields["whole"], interval: interval),
            most: integer(fields["most"], in: 1...10_000) ?? Each.standardMost)
        checkPlaces(of: each, in: list, at: place)
        return each
    }

    private mutating func parts(_ place: Place) -> Each.Parts? {
        switch place.node?.value {
        case .text(let text):
            guard let reference = RowReference(text), reference.column == nil else {
                refuse(place, allowed: "the name of a list, or a list of words")
                return nil
            }
            return .rows(reference.list)
        case .list(let items) where (1...Each.wordLimit).contains(items.count):
            let words = texts(place, allowed: "a list of words")
            for word in words where !Self.isWord(word) {
                note(
                    place.offset,
                    "\(place.name) has \"\(word.start(60))\", which is no part of a path",
                    hint: "Use letters, digits and -._~/%, without a slash at the ends.")
                return nil
            }
            return words.count == items.count ? .words(words) : nil
        default:
            refuse(
                place,
                allowed: "the name of a list, or a list of 1 to \(Each.wordLimit) words")
            return nil
        }
    }

    /// It stands in a path as it is.
    private static func isWord(_ word: String) -> Bool {
        let segments = word.split(separator: "/", omittingEmptySubsequences: false)
        return word.utf8.count <= 200
            && segments.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-._~/%".utf8.contains(byte)
                }
            }
    }

    private mutating func wholeRound(_ place: Place, interval: Duration) -> Duration {
        let longest = Duration.seconds(30 * 86_400)
        let allowed = "a duration from \(HumanTime.written(interval)), the interval, to 30d"
        let text = text(place, allowed: allowed) { text in
            (try? HumanTime.duration(text)).map { (interval...longest).contains($0) } ?? false
        }
        return text.flatMap { try? HumanTime.duration($0) } ?? max(Each.usualWhole, interval)
    }

    /// A place for a part in the path of a list that has no parts would be asked for as it stands.
    private mutating func noteLonePlace(in list: String, at place: Place) {
        let word = /\{([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_]+)?\}/
        guard let found = list.prefix(while: { $0 != "?" }).firstMatch(of: word) else { return }
        let name = String(found.1).start(60)
        note(
            place.offset, "list has {\(name)}, and each does not say what that is",
            hint: "Add \"each\": {\"\(name)\": \"LIST\"} with the list whose rows have such parts.")
    }

    /// The path has to lead to each part, and nothing else may stand between braces in it.
    private mutating func checkPlaces(of each: Each, in list: String, at place: Place) {
        guard let template = TextTemplate(list) else {
            note(
                place.offset, "list has a brace without its partner",
                hint: "Write a place for the part as {\(each.name)}.")
            return
        }
        let names = template.columns
        let isRow = each.list != nil
        guard !names.isEmpty else {
            note(
                place.offset, "each is set, and list has no place for \(each.name)",
                hint: isRow
                    ? "Write {\(each.name)} in list, or {\(each.name).COLUMN} for a column of that row."
                    : "Write {\(each.name)} in list.")
            return
        }
        for name in names where name != each.name && !(isRow && name.hasPrefix(each.name + ".")) {
            note(
                place.offset, "list has {\(name.start(60))}, and each is about \(each.name)",
                hint: "Write {\(each.name)}.")
        }
        if template.parts.contains(.id) || template.parts.contains(.version) {
            note(
                place.offset, "list has {id} or {version}, which are for single rows",
                hint: "Write {\(each.name)}.")
        }
    }

    /// What no key of it says alone.
    mutating func checkEach(_ declaration: Declaration, _ fields: Fields) {
        guard let each = declaration.each else { return }
        let place = fields["each"]
        let column = declaration.partColumn
        if column?.name != each.name {
            note(
                fields["columns"].offset,
                "columns has no \(each.name) for the part that a row is in",
                hint: "Add \"\(each.name)\": \"\(each.member)\".")
        }
        if declaration.ids == .server {
            note(
                fields["id"].offset, "id is \"integer …\", and the list has parts",
                hint: "Write the path alone.")
        }
        if declaration.since != nil {
            note(
                fields["since"].offset,
                "since is set, and each part of the list is read whole",
                hint: "Remove since, or each.")
        }
        if declaration.history != nil {
            note(
                fields["history"].offset, "history is set, and the list has parts",
                hint: "Remove it.")
        }
        if !declaration.isReadOnly, let rank = declaration.column(of: .rank) {
            note(
                fields["columns"].offset,
                "columns.\(rank.name) shows @rank, and the list has parts, each with a first row",
                hint: "Remove it.")
        }
        guard let list = each.list else { return }
        if list == declaration.name {
            note(
                place.offset, "each is about the list itself", hint: "Name the list above it.")
        }
    }
}

extension Column {
    /// The column of the part that a row is in.
    static func part(_ name: String, of each: Each, isGiven: Bool) -> Column {
        let reference = each.list.map { RowReference($0) }
        return Column(
            name: name, source: .field(reference == nil ? .text : .row, each.path),
            writing: isGiven ? .create : .none, isRequired: true, reference: reference,
            isPart: true)
    }
}

extension Each {
    /// As a file declares it.
    var json: JSONNode {
        let parts: JSONNode =
            switch parts {
            case .words(let words): .texts(words)
            case .rows(let list): .text(list.text)
            }
        return .object([
            (name, parts), ("changed", changed.isEmpty ? nil : .texts(changed)),
            ("whole", whole == Self.usualWhole ? nil : .text(HumanTime.written(whole))),
            ("most", most == Self.standardMost ? nil : .number(most)),
        ])
    }
}
