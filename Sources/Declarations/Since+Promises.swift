/// What is promised of a list of which only changes are asked for.
extension Since {
    /// Sentences for a person, about a list at `list`.
    func promises(of list: String, readsRows: Bool) -> [String] {
        var sentences = [
            "Only what has changed is asked for, and the whole list \(Self.often(whole)): a change that an"
                + " increment does not show is noticed then, and `status` counts it."
        ]
        sentences.append(
            deleted == nil
                ? "Increments show no deletions. Where the first page tells how many rows there are, the whole"
                    + " list is read once their number differs, at most once an hour."
                : "A row that is marked as gone leaves with the increment that shows it.")
        if let filter = filters(of: list).first {
            sentences.append(
                "A row that `\(filter)` does not keep any more is shown by no increment, and stays until the next"
                    + " whole list: ask for all rows, and write WHERE.")
        }
        if showsNewestFirst(list) {
            sentences.append(
                "The list shows the newest first. A row that changes while pages are read can be skipped, so let the"
                    + " server sort by id.")
        }
        if !readsRows {
            sentences.append(
                "An edit and a delete wait for the whole list, because no row can be read alone (`read`)."
            )
        }
        return sentences
    }

    private static func often(_ whole: Duration) -> String {
        let hours = whole.components.seconds / 3600
        return switch hours {
        case 0: "every \(max(1, whole.components.seconds / 60)) minutes"
        case 1: "every hour"
        case 24: "once a day"
        default: "every \(hours) hours"
        }
    }

    /// Parameters of a list's query that choose rows, and that an increment does not ask for in another way.
    private func filters(of list: String) -> [String] {
        parameters(of: list).filter { parameter in
            let name = Self.name(of: parameter).lowercased()
            let value = parameter.drop { $0 != "=" }.dropFirst().lowercased()
            return !Self.shape.contains(name) && !names.contains(Self.name(of: parameter))
                && !["all", "*", "any", ""].contains(value)
        }
    }

    /// Parameters that say how a list is shown, and not which rows.
    private static let shape: Set = [
        "page", "per_page", "limit", "page_size", "pagesize", "size", "offset", "sort", "order",
        "ordering", "order_by", "sort_by", "direction", "dir", "fields", "include", "expand",
        "format", "select",
    ]

    /// Whether the query asks for rows by their moment, the largest first.
    private func showsNewestFirst(_ list: String) -> Bool {
        guard let name = moment.rowPath?.names?.last else { return false }
        let orders = parameters(of: list).filter { parameter in
            ["sort", "order", "ordering", "order_by", "sort_by"]
                .contains(Self.name(of: parameter).lowercased())
        }.map { $0.drop { $0 != "=" }.dropFirst().lowercased() }
        let isDescending =
            parameters(of: list).contains { $0.lowercased().contains("desc") }
            || orders.contains { $0.hasPrefix("-") }
        return isDescending && orders.contains { $0.contains(name.lowercased().prefix(6)) }
    }

    private func parameters(of list: String) -> [String] {
        list.split(separator: "?", maxSplits: 1).dropFirst().first.map {
            $0.split(separator: "&").map(String.init)
        } ?? []
    }
}
