/// How a server is asked for what has changed in a list, and for nothing else.
///
/// A pull of such rows is an *increment*. It is never a whole list: a row that it does not show may be there.
public struct Since: Sendable, Hashable {
    /// Parameters of a query, with ``placeholder`` in the place of the mark: `updated_after={since}`.
    public let query: String
    /// What becomes the mark.
    public let moment: Moment
    /// The time from one whole list to the next.
    public let whole: Duration
    /// What tells a row that is gone; nil: increments show no deletions.
    public let deleted: Tombstone?
    /// How a date is sent; nil: as the server wrote it.
    public let form: Form?

    /// Where the mark stands in a query.
    public static let placeholder = "{since}"

    /// Where a mark comes from.
    public enum Moment: Sendable, Hashable, CustomStringConvertible {
        /// Each row has its moment there: a date, or a number that grows.
        case row(JSONPath)
        /// The answer has a text of the server's own there.
        case answer(JSONPath)
        /// The answer has it in this header field.
        case header(String)

        /// As a declaration writes it.
        public var description: String {
            switch self {
            case .row(let path): path.description
            case .answer(let path): "answer \(path)"
            case .header(let name): "header \(name)"
            }
        }

        /// The header field that has it.
        public var headerName: String? {
            if case .header(let name) = self { name } else { nil }
        }

        /// Its place in a row.
        public var rowPath: JSONPath? {
            if case .row(let path) = self { path } else { nil }
        }

        /// Its place in an answer, beside the rows.
        public var answerPath: JSONPath? {
            if case .answer(let path) = self { path } else { nil }
        }
    }

    /// A spelling of dates in a query.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// Whole seconds since 1970.
        case seconds
        /// Milliseconds since 1970.
        case milliseconds
    }

    /// What tells a row that the server has deleted.
    public struct Tombstone: Sendable, Hashable {
        /// Where it stands in the row.
        public let path: JSONPath
        /// What stands there then; nil: anything but `null` and `false`.
        public let value: PlainValue?
    }

    /// The list at `list`, asked from a mark that is percent-encoded: a parameter of ``query`` stands in the place of
    /// one of its name, or behind all others.
    package func query(of list: String, from mark: String) -> String {
        Self.query(query, of: list, from: mark)
    }

    /// The same with the parameters of `query`.
    package static func query(_ query: String, of list: String, from mark: String) -> String {
        let parts = list.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters = parts.count > 1 ? Self.parameters(parts[1]) : []
        for parameter in Self.parameters(Substring(query)) {
            let name = name(of: parameter)
            let place = parameters.firstIndex { Self.name(of: $0) == name }
            parameters.removeAll { Self.name(of: $0) == name }
            parameters.insert(
                filled(parameter, with: mark), at: place ?? parameters.endIndex)
        }
        return String(parts[0]) + "?" + parameters.joined(separator: "&")
    }

    /// The names of its parameters.
    var names: [String] { Self.parameters(Substring(query)).map { Self.name(of: $0) } }

    private static func parameters(_ query: Substring) -> [String] {
        query.split(separator: "&").map(String.init)
    }

    static func name(of parameter: String) -> String {
        String(parameter.prefix { $0 != "=" })
    }

    private static func filled(_ parameter: String, with mark: String) -> String {
        guard let place = parameter.firstRange(of: placeholder) else { return parameter }
        let (before, after) = (
            parameter[..<place.lowerBound], parameter[place.upperBound...]
        )
        return before + mark + filled(String(after), with: mark)
    }
}
